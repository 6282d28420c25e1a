//! The engine that started this host: its log and its version.

use pcl_remote::Client;
use tonic::Code;

use crate::messages::engine::{
    HealthCheckRequest, LogRequest, RequirePulumiVersionRequest, Severity,
};
use crate::messages::plugin::Empty;

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
        let request = LogRequest {
            severity: severity.into(),
            message,
            urn,
        };
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

    /// Waits until the engine is gone. An engine that does not answer a question is gone; one that
    /// does not know the question is not.
    pub async fn gone(&self) {
        loop {
            tokio::time::sleep(BETWEEN_CHECKS).await;
            let request = HealthCheckRequest::default();
            let check = self.client.call("/grpc.health.v1.Health/Check", request);
            match tokio::time::timeout(LONGEST_CHECK, check).await {
                Ok(Ok(Empty {})) => {}
                Ok(Err(status)) if status.code() != Code::Unavailable => {}
                _ => return,
            }
        }
    }
}

/// The time between two checks that the engine is there.
const BETWEEN_CHECKS: std::time::Duration = std::time::Duration::from_secs(5);

/// The time that an engine has to answer that it is there.
const LONGEST_CHECK: std::time::Duration = std::time::Duration::from_secs(60);
