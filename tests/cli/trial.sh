#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A short run of `make trial`: its table says ok, not ok or skip for each kind of trial.
set -u
: "${BUILD:?where the trial is}"
"$BUILD/trial/trial" --seconds 14 --seed 1
