#!/usr/bin/env python3
"""Runs Pulumi's host for Java behind the proxy of the shared directory, which answers for it with
projects that `pcl convert --to java` writes.

    python3 tests/generated/java/host.py SHARED OPTIONS-OF-THE-PROXY

The proxy has no form for projects in Java: here it is.
"""

import os
import pathlib
import shutil
import sys
import xml.sax.saxutils


def form(out, target, project, dependencies):
    """Puts a project that the command wrote where Pulumi expects it. The command declares the
    packages that it uses; where they are is added."""
    main = target / (project.get("main") or ".")
    shutil.copytree(out, main, dirs_exist_ok=True)
    pom = main / "pom.xml"
    # An artifact is GROUP:NAME:VERSION:REPOSITORY; the core SDK is in no repository.
    places = {place.split(":", 3)[3] for place in dependencies.values() if place.count(":") > 2}
    if places:
        pom.write_text(with_repositories(pom.read_text(encoding="utf-8"), sorted(places)))
    if main != target:
        (main / "Pulumi.yaml").unlink(missing_ok=True)
    proxy.write_project(target, project, "java")


def with_repositories(pom, places):
    """The text of a `pom.xml` with more repositories."""
    repositories = "".join(
        f"<repository><id>local-{number}</id><url>file://{xml.sax.saxutils.escape(place)}</url>"
        "</repository>"
        for number, place in enumerate(places)
    )
    head, tag, rest = pom.partition("<dependencies>")
    return f"{head}<repositories>{repositories}</repositories>\n{tag}{rest}"


if __name__ == "__main__":
    sys.path.append(os.fspath(pathlib.Path(sys.argv[1], "check/hosts/front")))
    import front_host as proxy

    proxy.FORMS["java"] = form
    sys.exit(proxy.main(sys.argv[2:]))
