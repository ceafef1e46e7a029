"""What Schemathesis needs to know about Colophon's GraphQL endpoints: the scalars, and which errors are failures of the server."""

import schemathesis
from hypothesis import strategies as st
from schemathesis.graphql import nodes

schemathesis.graphql.scalar("EpochMillis", st.integers(0, 4_102_444_800_000).map(nodes.Int))
schemathesis.graphql.scalar("Date", st.dates().map(lambda day: nodes.String(day.isoformat())))
schemathesis.graphql.scalar("DateTime", st.datetimes().map(lambda time: nodes.String(time.isoformat() + "Z")))
schemathesis.graphql.scalar("Decimal", st.decimals(-10**9, 10**9, places=2).map(lambda number: nodes.String(f"{number:f}")))
schemathesis.graphql.scalar("RichText", st.text(max_size=200).map(nodes.String))
schemathesis.graphql.scalar("Url", st.sampled_from(["https://example.org/a", "/a", "mailto:a@example.org"]).map(nodes.String))
schemathesis.graphql.scalar(
    "JSON",
    st.one_of(st.integers(-(2**31), 2**31 - 1).map(nodes.Int), st.text(max_size=50).map(nodes.String), st.booleans().map(nodes.Boolean)),
)


@schemathesis.hook
def filter_case(context, case):
    """
    Leaves alone the API client that sends the requests: without it all that follow would be 401. With `nulls`, assets have nulls that
    their schema does not describe, as the parameter says.
    """
    body = case.body if isinstance(case.body, dict) else {}
    has_nulls = "nulls" in (case.query or {}) or "nulls" in body
    return (case.path_parameters or {}).get("id") != "workers" and not has_nulls


@schemathesis.check
def graphql_errors_are_explained(ctx, response, case):
    """Every error has a code, and none is a failure of the server; those of the caller may occur while an operation runs."""
    if not case.path.startswith("/graphql/"):
        return
    body = response.json()
    assert response.status_code < 500, f"status {response.status_code}"
    assert "data" in body or body.get("errors"), "neither data nor errors"
    for error in body.get("errors", []):
        code = error.get("extensions", {}).get("code")
        assert code not in (None, "internal", "store_failure"), f"code {code}: {error.get('message')}"
