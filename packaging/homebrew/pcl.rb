# A template: `packaging/release.py` fills in what is between at signs.
class Pcl < Formula
  desc "Checker, formatter and language server for the Pulumi Configuration Language"
  homepage "https://pcl-lang.github.io/pcl"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@URL aarch64-apple-darwin@"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@URL x86_64-apple-darwin@"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@URL aarch64-unknown-linux-gnu@"
      sha256 "@SHA256 aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@URL x86_64-unknown-linux-gnu@"
      sha256 "@SHA256 x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "pcl"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"pcl", "completions")
  end

  test do
    (testpath/"main.pp").write("size = lenght([1, 2])\n")
    assert_match "PCL0601", shell_output("#{bin}/pcl check 2>&1", 1)
  end
end
