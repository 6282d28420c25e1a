# purpose: assets and archives, from files, strings, addresses and each other
resource "bucket" "harbor:storage:Bucket" {}

resource "page" "harbor:storage:Object" {
  bucket = bucket.id
  source = fileAsset("./index.html")
}

resource "text" "harbor:storage:Object" {
  bucket = bucket.id
  key    = "hello.txt"
  source = stringAsset("hello ${bucket.url}")
}

resource "remote" "harbor:storage:Object" {
  bucket = bucket.id
  source = remoteAsset("https://example.com/logo.png")
  bundle = remoteArchive("https://example.com/site.zip")
}

resource "packed" "harbor:storage:Object" {
  bucket = bucket.id
  source = fileArchive("./site")
  bundle = assetArchive({
    "readme.txt" = stringAsset("read me")
    "folder"     = fileArchive("./folder")
  })
}

contents = readFile("./index.html")
encoded  = filebase64("./index.html")
digest   = filebase64sha256("./index.html")
