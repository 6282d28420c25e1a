package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}
