//! Facade for frontends: build, compile, load, launch.
