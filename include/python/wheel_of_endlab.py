# SPDX-License-Identifier: MIT
"""Builds the wheel (PEP 517): the module, and libendlab.so.1 from the sources that this folder lies in. It needs
no other package, so nothing is downloaded."""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if not os.path.exists(os.path.join(SOURCES, "core", "engine")):
        raise SystemExit("endlab: expected the sources of the library in " + SOURCES)
    makefile = open(os.path.join(SOURCES, "Makefile")).read()
    version = re.search(r"^VERSION *:?= *(\S+)", makefile, re.M).group(1)
    build = os.path.join(SOURCES, "build")
    library = os.path.join(build, "libendlab.so." + version)
    subprocess.run(["make", "-C", SOURCES, "BUILD=" + build, library], check=True)

    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = "endlab-%s.dist-info" % version
    files = {"endlab/" + name: open(os.path.join(HERE, "endlab", name), "rb").read()
             for name in ("__init__.py", "py.typed")}
    files["endlab/libendlab.so.1"] = open(library, "rb").read()
    files[info + "/METADATA"] = ("Metadata-Version: 2.1\nName: endlab\nVersion: %s\n"
                                 "Requires-Python: >=3.8\n" % version).encode()
    files[info + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: endlab\nRoot-Is-Purelib: false\n"
                              "Tag: %s\n" % tag).encode()
    record = "".join("%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(hashlib.sha256(data).digest())
                                            .rstrip(b"=").decode(), len(data)) for name, data in files.items())
    files[info + "/RECORD"] = (record + info + "/RECORD,,\n").encode()
    wheel = "endlab-%s-%s.whl" % (version, tag)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(name, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("endlab: the source distribution is the repository")
