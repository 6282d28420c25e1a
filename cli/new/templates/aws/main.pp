resource bucket "aws:s3/bucket:Bucket" {
  tags = { project = project() }
}

resource access "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock" {
  bucket                = bucket.id
  blockPublicAcls       = true
  blockPublicPolicy     = true
  ignorePublicAcls      = true
  restrictPublicBuckets = true
}

output bucketName {
  value = bucket.id
}
