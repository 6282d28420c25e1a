"""The packages of the command, as users install them. The environment variable PCL_BINARY names a
built command, PCL_WHEEL its wheel; without one of them, or without npm, the tests that need it are
skipped.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import unittest.mock
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import release  # noqa: E402

BINARY = os.environ.get("PCL_BINARY")
WHEEL = os.environ.get("PCL_WHEEL")
PLATFORM = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(os.uname().machine)


def run(*command, status=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def words(tool):
    """The commands of the README for who has a package and no Rust."""
    text = (HERE / "README.md").read_text()
    (block,) = re.findall(rf"```sh\n({tool} install .*?)```", text, re.DOTALL)
    return block


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)

    def checks_programs(self, *pcl):
        """The two programs of the README, one with and one without mistakes."""
        check = ["check", "--schema-dir", ROOT / "corpus/schemas"]
        said = run(*pcl, *check, ROOT / "corpus/valid/webserver")
        self.assertEqual(said, "checked 1 program: no errors\n")
        said = run(*pcl, *check, ROOT / "corpus/broken/webserver", status=1)
        self.assertIn("error[PCL0601]: there is no function `elemnt`", said)
        self.assertEqual(run(*pcl, "version"), f"pcl {release.version()}\n")
        said = run(*pcl, "check", "-", input="size = lenght([1, 2])\n", cwd=self.place, status=1)
        self.assertIn("error[PCL0601]: there is no function `lenght`", said)

    def follows(self, tool, *packages, **environment):
        """Runs the README's commands in a folder that has nothing but packages and the corpus."""
        folder = self.place / "downloads"
        folder.mkdir()
        for package in packages:
            shutil.copy(package, folder)
        (folder / "corpus").symlink_to(ROOT / "corpus")
        said = run("bash", "-e", "-c", words(tool), cwd=folder, env={**os.environ, **environment})
        self.assertTrue(said.endswith("checked 1 program: no errors\n"), said)


@unittest.skipUnless(WHEEL, "PCL_WHEEL is not set")
class Wheel(Package):
    def test_a_fresh_environment(self):
        venv.create(self.place / "venv", with_pip=True)
        run(self.place / "venv/bin/pip", "install", "--quiet", "--no-index", "--no-deps", WHEEL)
        self.checks_programs(self.place / "venv/bin/pcl")

    def test_the_commands_of_the_readme(self):
        venv.create(self.place / "venv", with_pip=True)
        path = f"{self.place}/venv/bin:{os.environ['PATH']}"
        self.follows("pip", WHEEL, PATH=path, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")

    def test_metadata(self):
        run(sys.executable, "-m", "zipfile", "-e", WHEEL, self.place)
        info = next(self.place.glob("pulumi_pcl-*.dist-info"))
        metadata = (info / "METADATA").read_text()
        self.assertIn(f"\nVersion: {release.version()}\n", metadata)
        self.assertIn("\n# pulumi-pcl\n", metadata)


@unittest.skipUnless(BINARY and shutil.which("npm") and PLATFORM, "there is no PCL_BINARY, npm or package")
class Npm(Package):
    def pack(self):
        """The archives that would be published: that of the platform, and the one that users name."""
        packages = self.place / "packages"
        run("node", HERE / "npm/build.mjs", packages, f"{PLATFORM}={BINARY}")
        names = [f"pulumi-pcl-{PLATFORM}", "pulumi-pcl"]
        for name in names:
            run("npm", "pack", "--silent", packages / name, cwd=packages)
        return [packages / f"{name}-{release.version()}.tgz" for name in names]

    def install(self, *archives):
        folder = self.place / "empty"
        folder.mkdir()
        (folder / "package.json").write_text("{}")
        run("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", *archives, cwd=folder)
        return folder

    def test_an_empty_folder(self):
        folder = self.install(*self.pack())
        self.checks_programs(folder / "node_modules/.bin/pcl")
        # Standard input and the exit status pass through.
        said = run(folder / "node_modules/.bin/pcl", "fmt", "-", input="a=1\n")
        self.assertTrue(said.startswith("a = 1\n"), said)

    @unittest.skipUnless(PLATFORM == "linux-x64", "the README names the package of another platform")
    def test_the_commands_of_the_readme(self):
        path = f"{self.place}/global/bin:{os.environ['PATH']}"
        place = f"{self.place}/global"
        self.follows("npm", *self.pack(), PATH=path, npm_config_prefix=place, npm_config_offline="true")

    def test_a_platform_without_a_package(self):
        folder = self.install(self.pack()[-1])
        said = run(folder / "node_modules/.bin/pcl", "version", status=2)
        self.assertIn(f"the package `pulumi-pcl-{PLATFORM}` is not installed", said)

    def test_every_target_is_an_optional_dependency(self):
        with self.assertRaisesRegex(AssertionError, "plan9-x64 is none of darwin-arm64, "):
            run("node", HERE / "npm/build.mjs", self.place, f"plan9-x64={BINARY}")


@unittest.skipUnless(BINARY, "PCL_BINARY is not set")
class Release(Package):
    def archive(self, target):
        release.archive(self.place, target, pathlib.Path(BINARY))
        return self.place / f"pcl-{release.version()}-{target}.tar.gz"

    def test_an_archive(self):
        archive = self.archive(release.host())
        first = archive.read_bytes()
        self.assertEqual(self.archive(release.host()).read_bytes(), first, "it is not reproducible")
        with tarfile.open(archive) as tar:
            names = tar.getnames()
            tar.extractall(self.place)
        folder = archive.name.removesuffix(".tar.gz")
        for name in ["pcl", "man/pcl.1", "man/pcl-check.1", "README.md", "LICENSE-MIT.txt", "LICENSE-Apache-2.0.txt"]:
            self.assertIn(f"{folder}/{name}", names)
        self.checks_programs(self.place / folder / "pcl")

    @unittest.skipUnless(WHEEL, "PCL_WHEEL is not set")
    def test_an_archive_of_the_command_in_a_wheel(self):
        release.archive(self.place, release.host(), pathlib.Path(WHEEL))
        (archive,) = self.place.glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extractall(self.place)
        self.checks_programs(self.place / archive.name.removesuffix(".tar.gz") / "pcl")

    def test_cargo_binstall_finds_the_archives(self):
        listed = release.run("cargo", "metadata", "--no-deps", "--offline", "--format-version", "1")
        packages = json.loads(listed)["packages"]
        (package,) = (it for it in packages if it["name"] == "pulumi-pcl")
        settings = package["metadata"]["binstall"]
        self.assertEqual(settings["pkg-fmt"], "tgz")
        for target, ending in [(release.host(), ""), ("x86_64-pc-windows-gnu", ".exe")]:
            fields = {"repo": package["repository"], "version": package["version"], "target": target}
            fields["binary-ext"] = ending
            fill = lambda template: re.sub(r"\{ ([a-z-]+) \}", lambda field: fields[field[1]], template)
            # The binary of this machine is not one that the tool for Windows can strip.
            with unittest.mock.patch.object(release, "strip"):
                archive = self.archive(target)
            self.assertEqual(fill(settings["pkg-url"]), f"{release.DOWNLOADS}/v{package['version']}/{archive.name}")
            with tarfile.open(archive) as tar:
                self.assertEqual(tar.getmember(fill(settings["bin-dir"])).mode, 0o755)

    def test_checksums_signature_and_formula(self):
        targets = ["aarch64-apple-darwin", "x86_64-apple-darwin", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]
        for target in targets:
            name = f"pcl-{release.version()}-{target}.tar.gz"
            (self.place / name).write_bytes(target.encode())
        key, public = self.place / "key.pem", self.place / "public.pem"
        run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
        run("openssl", "pkey", "-in", key, "-pubout", "-out", public)
        release.finish(self.place, key)
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=self.place)
        verify = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public]
        verify += ["-in", self.place / "SHA256SUMS", "-sigfile", self.place / "SHA256SUMS.sig"]
        run(*verify)
        with (self.place / "SHA256SUMS").open("a") as sums:
            sums.write("0  other\n")
        run(*verify, status=1)
        formula = (self.place / "pcl.rb").read_text()
        self.assertNotIn("@", formula)
        for target in targets:
            self.assertIn(f'url "{release.DOWNLOADS}/v{release.version()}/pcl-{release.version()}-{target}.tar.gz"', formula)
            self.assertIn(f'sha256 "{hashlib.sha256(target.encode()).hexdigest()}"', formula)
        self.assertTrue((self.place / "NOTES.md").read_text().strip())


class Changelog(Package):
    def test_what_is_unreleased_becomes_a_version(self):
        place = self.place / "CHANGELOG.md"
        place.write_text("# Changelog\n\n## Unreleased\n\n- A.\n\n## 0.0.1 (2026-01-01)\n\n- B.\n")
        original, release.CHANGELOG = release.CHANGELOG, place
        try:
            release.changelog()
            titles = list(release.sections(place.read_text()))
            self.assertEqual(titles[0], "Unreleased")
            self.assertRegex(titles[1], rf"^{release.version()} \(\d{{4}}-\d\d-\d\d\)$")
            self.assertEqual(titles[2], "0.0.1 (2026-01-01)")
            self.assertEqual(release.notes(), "- A.\n")
            with self.assertRaises(SystemExit):
                release.changelog()
        finally:
            release.CHANGELOG = original


if __name__ == "__main__":
    unittest.main()
