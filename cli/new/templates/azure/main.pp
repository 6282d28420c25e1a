resource group "azure-native:resources:ResourceGroup" {}

resource storage "azure-native:storage:StorageAccount" {
  resourceGroupName = group.name
  kind              = "StorageV2"
  sku               = { name = "Standard_LRS" }
}

output accountName {
  value = storage.name
}
