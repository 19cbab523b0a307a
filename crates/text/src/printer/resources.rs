//! The metadata section `{-# ... #-}`: resources, spelled as they were read.

use super::data::DataWriter;
use segra_ir::resource::{ResourceGroup, Resources};

impl DataWriter<'_> {
    /// Writes the section; nothing where there is no resource.
    pub(super) fn resources(&mut self, resources: &Resources) {
        if resources.is_empty() {
            return;
        }
        self.out.push_str("\n{-#");
        let sections = [
            ("dialect_resources", &resources.dialect),
            ("external_resources", &resources.external),
        ];
        let mut separator = "\n";
        for (name, groups) in sections
            .into_iter()
            .filter(|(_, groups)| !groups.is_empty())
        {
            self.out.push_str(separator);
            separator = ",\n";
            self.out.push_str("  ");
            self.out.push_str(name);
            self.out.push_str(": {");
            self.resource_groups(groups);
            self.out.push_str("\n  }");
        }
        self.out.push_str("\n#-}\n");
    }

    fn resource_groups(&mut self, groups: &[ResourceGroup]) {
        let ctx = self.ctx;
        let mut separator = "\n    ";
        for group in groups {
            self.out.push_str(separator);
            separator = ",\n    ";
            self.keyword_or_string(ctx.str(group.owner));
            self.out.push_str(": {");
            let mut separator = "\n      ";
            for (key, value) in &group.entries {
                self.out.push_str(separator);
                separator = ",\n      ";
                self.keyword_or_string(ctx.str(*key));
                self.out.push_str(": ");
                self.out.push_str(value);
            }
            self.out.push_str("\n    }");
        }
    }
}
