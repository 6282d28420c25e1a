//! Packages of components in PCL among the programs to check: a package is its own directory and
//! those of its components.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use pcl::{ComponentPackage, Target};

/// Adds the components of the packages that are named; with `recursive`, the directories of the
/// packages whose components were found below the PATHs as well. Nothing is added twice.
pub(super) fn add_parts(targets: &mut Vec<Target>, paths: &[PathBuf], recursive: bool) {
    // The parts that belong before and behind each target.
    let mut parts: Vec<[Vec<PathBuf>; 2]> = Vec::with_capacity(targets.len());
    for target in &*targets {
        parts.push(match target {
            Target::Path(place) if recursive => {
                [package_above(place, paths).into_iter().collect(), Vec::new()]
            }
            Target::Path(place) => [Vec::new(), components_of(place)],
            Target::Memory { .. } => Default::default(),
        });
    }
    if parts.iter().flatten().all(Vec::is_empty) {
        return;
    }
    let known = targets.iter().filter_map(Target::place).map(pcl_system::resolved);
    let mut known: HashSet<PathBuf> = known.collect();
    let mut is_new = |part: &PathBuf| known.insert(pcl_system::resolved(part));
    let mut all: Vec<Target> = Vec::with_capacity(targets.len());
    for (target, [mut before, mut behind]) in targets.drain(..).zip(parts) {
        before.retain(&mut is_new);
        behind.retain(&mut is_new);
        all.extend(before.into_iter().map(Target::Path));
        all.push(target);
        all.extend(behind.into_iter().map(Target::Path));
    }
    *targets = all;
}

fn components_of(place: &Path) -> Vec<PathBuf> {
    let package = ComponentPackage::find(place);
    let components = package.iter().flat_map(ComponentPackage::components);
    components.map(|component| component.directory.clone()).collect()
}

/// The directory of the package that a component belongs to, as people would write it; `None` if it
/// is above the PATHs.
fn package_above(place: &Path, paths: &[PathBuf]) -> Option<PathBuf> {
    let package = ComponentPackage::around(place)?;
    let real = pcl_system::resolved(package.directory());
    let is_named = |path: &PathBuf| real.starts_with(pcl_system::resolved(path));
    if !paths.iter().any(is_named) {
        return None;
    }
    let above = place.ancestors().find(|above| pcl_system::resolved(above) == real)?;
    let is_here = above.as_os_str().is_empty();
    Some(if is_here { PathBuf::from(".") } else { above.to_path_buf() })
}
