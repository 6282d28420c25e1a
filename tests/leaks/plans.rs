//! Plans of programs with the secret.

use pcl::eval::notation::Secrets;
use pcl::plan::{PlanLook, Planned, plan_json, plan_markdown, plan_text};

/// Everything that is printed about a plan but its diagnostics.
pub fn printed(planned: &Planned) -> Vec<u8> {
    let mut printed = plan_json(planned, Secrets::Hide);
    printed.extend(plan_markdown(planned, Secrets::Hide).into_bytes());
    for color in [false, true] {
        let look = PlanLook { color, with_sames: true, secrets: Secrets::Hide };
        printed.extend(plan_text(planned, look).into_bytes());
    }
    printed
}
