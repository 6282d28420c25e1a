//! The engine that started this host: its log and its version.

use std::time::Duration;

use pcl_remote::Client;
use tonic::Code;

use crate::protocol::engine::{
    HealthCheckRequest, LogRequest, RequirePulumiVersionRequest, Severity,
};
use crate::protocol::plugin::Empty;

/// The engine. Clones share the connection.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    client: Client,
}

impl Engine {
    /// The engine at `HOST:PORT`.
    ///
    /// # Errors
    /// Returns an error if that is not an address.
    pub fn new(address: &str) -> Result<Self, String> {
        let client = Client::new(address)?;
        Ok(Self { client })
    }

    /// Reports a message about a resource, or about the run if the URN is empty.
    ///
    /// # Errors
    /// Returns the reason why the engine does not take it.
    pub async fn log(
        &self,
        severity: Severity,
        message: String,
        urn: String,
    ) -> Result<(), tonic::Status> {
        let request = LogRequest { severity: severity.into(), message, urn };
        let Empty {} = self.client.call("/pulumirpc.Engine/Log", request).await?;
        Ok(())
    }

    /// Checks that the version of Pulumi is in a range.
    ///
    /// # Errors
    /// Returns an error if it is not, or if the engine does not answer.
    pub async fn require_version(&self, range: String) -> Result<(), tonic::Status> {
        let request = RequirePulumiVersionRequest { range };
        let method = "/pulumirpc.Engine/RequirePulumiVersion";
        let Empty {} = self.client.call(method, request).await?;
        Ok(())
    }

    /// Waits until the engine is gone: until nobody listens there. One that does not answer is
    /// there, as it may be suspended; so is one that does not know the question.
    pub async fn gone(&self) {
        loop {
            tokio::time::sleep(BETWEEN_CHECKS).await;
            let request = HealthCheckRequest::default();
            let method = "/grpc.health.v1.Health/Check";
            let check = self.client.call::<_, Empty>(method, request).await;
            if check.is_err_and(|status| status.code() == Code::Unavailable) {
                return;
            }
        }
    }
}

/// The time between two checks that the engine is there.
const BETWEEN_CHECKS: Duration = Duration::from_secs(5);
