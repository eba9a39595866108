"""A take as a table."""

from __future__ import annotations

import csv as reader

import numpy as np
import pytest

import handmade
from poise.export import csv

DIGITS = 1e-8  # relative; nine digits are written


@pytest.fixture
def table(tmp_path):
    take = handmade.take()
    csv.write(take, tmp_path / "take.csv")
    with (tmp_path / "take.csv").open(newline="") as file:
        rows = list(reader.DictReader(file))
    return take, {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def test_there_is_one_row_per_sample_with_its_numbers(table):
    take, columns = table
    assert columns["time_s"] == pytest.approx(take.times, rel=DIGITS)
    assert columns["com_y_m"] == pytest.approx(take.com[:, 1], rel=DIGITS, abs=1e-12)
    assert columns["help_force_peak_n"] == pytest.approx(take.help_peak[:, 1], rel=DIGITS)


def test_errors_are_measured_against_the_reference(table):
    take, columns = table
    assert columns["com_error_m"] == pytest.approx(np.linalg.norm(take.com - take.ref_com, axis=-1), rel=DIGITS, abs=1e-12)
    assert (columns["joint_error_max_deg"] >= columns["joint_error_mean_deg"]).all()


def test_every_foot_has_its_load_and_its_stance(table):
    take, columns = table
    assert columns["left_foot_contact_n"] == pytest.approx(take.contact[:, 0])
    assert np.array_equal(columns["right_foot_stance"], take.stance[:, 1])
