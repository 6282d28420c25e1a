config replicas int {
  default     = 2
  description = "The number of pods."
}

labels = { app = "web" }

resource web "kubernetes:apps/v1:Deployment" {
  spec = {
    replicas = replicas
    selector = { matchLabels = labels }
    template = {
      metadata = { labels = labels }
      spec = {
        containers = [{
          name  = "nginx"
          image = "nginx:1.29"
          ports = [{ containerPort = 80 }]
        }]
      }
    }
  }
}

resource service "kubernetes:core/v1:Service" {
  spec = {
    selector = labels
    ports    = [{ port = 80 }]
  }
}

output serviceName {
  value = service.metadata.name
}
