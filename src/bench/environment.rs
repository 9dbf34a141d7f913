//! Whether two sides ran on the same thing.

use super::Environment;

impl Environment {
    /// Every stated fact as `(key, value)`, the named ones first.
    pub fn facts(&self) -> impl Iterator<Item = (&str, &str)> {
        let named = [
            ("machine", Some(&self.machine)),
            ("model", self.model.as_ref()),
            ("cpu", self.cpu.as_ref()),
            ("memory", self.memory.as_ref()),
            ("compiler", self.compiler.as_ref()),
            ("kernel_config", self.kernel_config.as_ref()),
            ("rootfs", self.rootfs.as_ref()),
        ];
        let named = named.into_iter().filter_map(|(key, value)| Some((key, value?.as_str())));
        named.chain(self.other.iter().map(|(key, value)| (key.as_str(), value.as_str())))
    }

    /// The first fact that both sides state, and state differently, as `(key, here, there)`.
    ///
    /// A fact that one side leaves out is no difference: labs often send the full facts once.
    pub fn first_difference<'a>(
        &'a self,
        other: &'a Environment,
    ) -> Option<(&'a str, &'a str, &'a str)> {
        self.facts().find_map(|(key, here)| {
            let (_, there) = other.facts().find(|(theirs, _)| *theirs == key)?;
            (here != there).then_some((key, here, there))
        })
    }
}
