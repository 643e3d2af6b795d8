"""Plat in one file: every operation of the service, and its answers as tables.

The standard library is enough. With pandas a table becomes a DataFrame, with
geopandas a GeoDataFrame, with pyarrow an Arrow table.

    import plat

    client = plat.Client("http://127.0.0.1:8080", token="...")
    homes = client.tables.search(
        filters=[{"field": "state", "op": "eq", "value": "ME"}],
        fields=["elevation"],
        limit=200,
    )
    homes.to_geodataframe().plot("elevation")

Generated from the API description by `make docs`. Copy the file and leave it as
it is.
"""

# mypy: no-warn-return-any

from __future__ import annotations

import email.utils
import hashlib
import http.client
import importlib
import json
import os
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Dict, Literal, NamedTuple, TypedDict, TypeVar

if TYPE_CHECKING:
    import geopandas
    import pandas
    import pyarrow

__version__ = "0.1.0"

# Every code that a refusal may have.
ErrorCode = Literal[
    "access_denied",
    "account_store_misconfigured",
    "address_form_unsupported",
    "address_not_found",
    "address_too_coarse",
    "area_too_large",
    "ask_answer_incomplete",
    "ask_busy",
    "ask_question_refused",
    "ask_timeout",
    "ask_upstream_error",
    "ask_upstream_rate_limited",
    "ask_upstream_unreachable",
    "auth_expired",
    "auth_invalid",
    "auth_malformed",
    "auth_method_not_allowed",
    "auth_missing",
    "auth_revoked",
    "authorization_pending",
    "batch_in_progress",
    "body_too_large",
    "changes_cursor_invalid",
    "changes_unavailable",
    "connect_code_expired",
    "connect_code_not_found",
    "connect_code_used",
    "context_blob_too_large",
    "coord_out_of_bounds",
    "correction_not_found",
    "corrections_limited",
    "credits_exhausted",
    "device_login_unavailable",
    "device_logins_limited",
    "email_unverified",
    "expired_token",
    "export_failed",
    "export_not_found",
    "export_not_ready",
    "export_outdated",
    "fetch_busy",
    "field_request_ended",
    "field_request_not_found",
    "field_requests_limited",
    "field_requests_unavailable",
    "fields_too_many",
    "fields_unknown",
    "geocode_budget_exhausted",
    "geocode_busy",
    "geocode_forbidden",
    "geocode_timeout",
    "geocode_unconfigured",
    "geocode_upstream_error",
    "grant_not_found",
    "groups_too_many",
    "headers_too_large",
    "idempotency_key_reused",
    "invalid_geometry",
    "invalid_locator",
    "invalid_payload",
    "invalid_request",
    "list_cursor_invalid",
    "location_out_of_bounds",
    "location_unresolved",
    "malformed_request",
    "no_fields_requested",
    "no_road",
    "not_acceptable",
    "not_ready",
    "ogc_invalid_request",
    "ogc_not_found",
    "ogc_unavailable",
    "onboarding_attempt_not_found",
    "operator_only",
    "owner_not_found",
    "parcel_not_found",
    "provider_not_allowed",
    "proximity_budget_exhausted",
    "proximity_busy",
    "proximity_data_unavailable",
    "proximity_deadline_exceeded",
    "proximity_request_exceeds_budget_share",
    "proximity_unconfigured",
    "range_unsatisfiable",
    "rate_limited",
    "receipt_not_found",
    "release_not_kept",
    "request_timeout",
    "resolve_busy",
    "resolve_coord_bounds",
    "resolve_invalid_input",
    "resolve_timeout",
    "run_failed",
    "run_not_found",
    "run_not_ready",
    "search_invalid_request",
    "search_limit_exceeded",
    "search_unavailable",
    "shed_too_large",
    "sign_in_unavailable",
    "site_failed",
    "site_not_found",
    "site_not_ready",
    "sites_busy",
    "slow_down",
    "state_unavailable",
    "suggest_unavailable",
    "template_not_found",
    "templates_too_many",
    "terms_outdated",
    "token_not_active",
    "token_not_found",
    "token_not_recoverable",
    "tokens_too_many",
    "unknown_set",
    "unresolvable_input",
    "unsupported_media_type",
    "upload_invalid",
    "upload_not_found",
    "upload_too_large",
    "upload_type_unsupported",
    "upstream_auth",
    "upstream_error",
    "upstream_transient",
    "user_disabled",
    "watch_not_found",
    "watches_too_many",
    "worker_stopped",
]

_T = TypeVar("_T")

# Seconds before the second attempt, doubled for each further one up to the most.
_FIRST_WAIT = 0.25
_MOST_WAIT = 8.0
# Locations of one batch, and matches of one page.
_BATCH = 25
_PAGE = 100
_CHUNK = 1 << 20
_LOST = "What comes next cannot be read at present"


class PlatError(Exception):
    """The service refused a request, or could not be asked.

    Attributes:
        code: What was wrong, as docs/errors.md lists it; None without a code.
        status: Status of the HTTP answer; None where there was no answer.
        retryable: Whether the same request may succeed later.
        retry_after: Seconds to wait at least, where the service says so.
        request_id: What operators find the request by.
        detail: What the body says, with further keys of the code.
    """

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode | None = None,
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        request_id: str | None = None,
        detail: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.retryable = retryable
        self.retry_after = retry_after
        self.request_id = request_id
        self.detail = detail

    @property
    def issues(self) -> list[dict[str, Any]]:
        """Each fault of a body that has the wrong shape, with its place in `loc`."""
        return self.detail if isinstance(self.detail, list) else []


class InvalidRequest(PlatError):
    """The request is wrong (400, 406, 409, 413, 415, 422)."""


class NotAllowed(PlatError):
    """The token is missing, expired, or may not do this (401, 403)."""


class CreditsExhausted(PlatError):
    """The account has no credits left for this (402)."""


class NotFound(PlatError):
    """There is no such thing, or it belongs to somebody else (404, 410)."""


class TooManyRequests(PlatError):
    """The service asks to wait, and did so longer than this client waits (429)."""


class Unavailable(PlatError):
    """The service cannot answer at present (5xx)."""


class ConnectionFailed(PlatError):
    """The service could not be reached, or the connection broke."""


_ERRORS: dict[int, type[PlatError]] = {
    401: NotAllowed,
    402: CreditsExhausted,
    403: NotAllowed,
    404: NotFound,
    410: NotFound,
    429: TooManyRequests,
}


class Event(NamedTuple):
    """An event of a stream: its name, and what it says."""

    event: str
    data: Any


def _retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header, which has seconds or a date."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        moment = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    return max(0.0, moment.timestamp() - time.time())


def _error_of(
    detail: Any, status: int | None, headers: Mapping[str, str] | None = None
) -> PlatError:
    """The error that an answer or an event of a stream tells of."""
    headers = headers or {}
    told = detail if isinstance(detail, dict) else {}
    message = told.get("message") or f"HTTP {status}"
    if isinstance(detail, list) and detail:
        place = ".".join(str(part) for part in detail[0]["loc"])
        message = f"The body has the wrong shape: {place}: {detail[0]['msg']}"
    if status is None:
        kind: type[PlatError] = PlatError
    else:
        kind = _ERRORS.get(status, Unavailable if status >= 500 else InvalidRequest)
    return kind(
        message,
        code=told.get("error"),
        status=status,
        retryable=told.get("retryable") is True,
        retry_after=_retry_after(headers.get("retry-after")),
        request_id=headers.get("x-request-id"),
        detail=detail,
    )


def _error_of_answer(answer: urllib.error.HTTPError) -> PlatError:
    try:
        with answer:
            body = json.loads(answer.read())
    except (OSError, ValueError, http.client.HTTPException):
        # A proxy answers otherwise than the service does.
        body = None
    detail = body.get("detail") if isinstance(body, dict) else None
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return _error_of(detail, answer.code, headers)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which could carry the token to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _never_connected(failure: Exception) -> bool:
    reason = getattr(failure, "reason", failure)
    return isinstance(reason, (ConnectionRefusedError, socket.gaierror))


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """What the caller gave: an argument that is left out is None."""
    return {name: value for name, value in values.items() if value is not None}


def _key(given: str | None) -> str:
    """The idempotency key of a request: sent again with it, it is carried out once."""
    return given or str(uuid.uuid4())


def _part(value: str) -> str:
    """A value as a part of a path."""
    return urllib.parse.quote(value, safe="")


def _as_text(value: Any) -> str:
    """A value as an address has it, the members of a list between commas."""
    if isinstance(value, (list, tuple)):
        return ",".join(_as_text(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_answer(answer: http.client.HTTPResponse) -> Any:
    kind = answer.headers.get_content_type()
    body = answer.read()
    if not body:
        return None
    if kind.endswith(("/json", "+json")):
        return json.loads(body)
    return body.decode() if kind.startswith("text/") else body


def _events_of(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream (https://html.spec.whatwg.org/#server-sent-events)."""
    name = "message"
    data: list[str] = []
    for raw in lines:
        line = raw.decode().rstrip("\r\n")
        key, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if key == "event":
            name = value
        elif key == "data":
            data.append(value)
        elif line == "":
            if data:
                yield Event(name, json.loads("\n".join(data)))
            name, data = "message", []


class _Sender:
    """Sends requests, again where that helps and costs nothing more."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        attempts: int = 4,
        longest_wait: float = 60.0,
        timeout: float = 180.0,
    ) -> None:
        """Prepares a client; nothing is sent yet.

        Args:
            url: Where the service is, as "http://127.0.0.1:8080". Without it the
                environment variable PLAT_URL.
            token: An API token. Without it the environment variable PLAT_TOKEN; the
                public operations need none.
            attempts: How often a request is sent at most; 1 for no second time.
            longest_wait: Seconds. Where the service asks to wait longer, the call
                fails at once.
            timeout: Seconds without any byte after which a connection counts as broken.
        """
        url = url or os.environ.get("PLAT_URL")
        if not url:
            raise ValueError("Expected the address of the service, as url or PLAT_URL")
        self._url = url.rstrip("/")
        self._token = token or os.environ.get("PLAT_TOKEN")
        self._attempts = attempts
        self._longest_wait = longest_wait
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _wait(self, failure: PlatError, attempt: int) -> None:
        """Waits before the attempt after this one, or raises the failure."""
        wanted = failure.retry_after or 0.0
        if attempt >= self._attempts or wanted > self._longest_wait:
            raise failure
        backoff = min(_MOST_WAIT, _FIRST_WAIT * 2 ** (attempt - 1))
        time.sleep(wanted + backoff * random.uniform(0.5, 1.0))

    def _open(
        self,
        request: urllib.request.Request,
        repeatable: bool,
        read: Callable[[http.client.HTTPResponse], _T],
    ) -> _T:
        """What `read` makes of the answer to a request.

        Args:
            repeatable: Whether a second request changes and costs nothing, even if the
                first one was carried out.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                return read(self._opener.open(request, timeout=self._timeout))
            except urllib.error.HTTPError as answer:
                failure = _error_of_answer(answer)
                # A proxy that asks to wait does not say whether it had handed on.
                asks_to_wait = failure.code is None and failure.status in (429, 503)
                if not (failure.retryable or (repeatable and asks_to_wait)):
                    raise failure from None
            except (OSError, http.client.HTTPException) as broken:
                failure = ConnectionFailed(f"{self._url}: {broken}", retryable=True)
                if not (repeatable or _never_connected(broken)):
                    raise failure from broken
            self._wait(failure, attempt)

    def _request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | bytes | None = None,
        nulls: bool = False,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[urllib.request.Request, bool]:
        """A request, and whether it may be sent again after a broken connection.

        Args:
            nulls: Whether None in the body means null, not what was left out.
        """
        asked = {name: _as_text(value) for name, value in _given(query or {}).items()}
        address = self._url + path
        if asked:
            address += "?" + urllib.parse.urlencode(asked)
        sent = {"accept": "application/json, */*;q=0.5", **(headers or {})}
        if self._token:
            sent["authorization"] = f"Bearer {self._token}"
        if key is not None:
            sent["idempotency-key"] = key
        data = None
        if isinstance(body, bytes):
            data = body
        elif body is not None:
            sent["content-type"] = "application/json"
            sent_body = body if nulls else _given(body)
            data = json.dumps(sent_body, allow_nan=False).encode()
            key = key or body.get("idempotency_key")
        request = urllib.request.Request(address, data, sent, method=method)
        return request, method != "POST" or key is not None

    def _call(self, method: str, path: str, **terms: Any) -> Any:
        """What an operation answers."""
        request, repeatable = self._request(method, path, **terms)
        return self._open(request, repeatable, _read_answer)

    def _stream(self, method: str, path: str, **terms: Any) -> Iterator[Event]:
        """The events that an operation streams, until the last one."""
        headers = {"accept": "text/event-stream"}
        request, repeatable = self._request(method, path, headers=headers, **terms)
        with self._open(request, repeatable, lambda answer: answer) as answer:
            try:
                for event in _events_of(answer):
                    if event.event == "error":
                        raise _error_of(event.data.get("detail", event.data), None)
                    yield event
                    if event.event == "final":
                        return
            except (OSError, http.client.HTTPException) as broken:
                raise ConnectionFailed(f"The stream broke: {broken}") from broken
        raise ConnectionFailed("The stream ended before its last event")


CompletionReason = Literal["exhausted", "source_unavailable", "timeout"]
ContentType = Literal[
    "text/csv",
    "application/x-ndjson",
    "application/geo+json",
    "application/geo+json-seq",
    "application/vnd.apache.parquet",
]
Distances = Literal["driving", "straight_line", "driving and straight_line"]
FetchPreset = Literal[
    "terrain",
    "flood_risk",
    "wildfire_underwrite",
    "land_cover",
    "site_selection",
    "building_lookup",
    "points_of_interest",
    "utilities",
    "boundaries",
    "solar_siting",
    "wind_siting",
    "storage_siting",
    "data_center_siting",
    "grid_interconnect",
    "natural_hazard",
]
FieldRequestStatus = Literal[
    "received",
    "screening",
    "matched",
    "awaiting_confirm",
    "rejected",
    "queued",
    "claimed",
    "building",
    "in_review",
    "approved",
    "publishing",
    "live",
    "blocked",
    "expired",
]
Format = Literal["geoparquet", "flatgeobuf", "arrow", "geojsonseq", "csv"]
ParcelMatchStatus = Literal["matched", "ambiguous", "no_match", "unavailable"]
Preset = Literal[
    "parcel",
    "zoning",
    "buildings",
    "valuation",
    "legal",
    "power",
    "access",
    "water",
    "terrain",
    "environment",
    "climate",
    "hazards",
    "market",
    "constraints",
]
SearchCompletionReason = Literal[
    "exhausted",
    "limit_reached",
    "work_limit",
    "timeout",
    "field_data_unavailable",
    "source_unavailable",
]
Status = Literal["received", "in_review", "accepted", "rejected", "superseded"]


class AccumulationAnswer(TypedDict):
    rows: int
    # Rows without a number in the column: they add nothing.
    without_value: int
    # Of all rows.
    total: float
    worst: dict[str, Any] | None
    # Circles about rows, the one with the largest sum first, equal ones in the order of
    # the upload; as many as `limit` says.
    circles: list[dict[str, Any]]
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class AggregateAnswer(TypedDict):
    # Largest first.
    groups: list[dict[str, Any]]
    # Parcels that pass every filter.
    considered: int
    # Those whose group is not known, because a calculation failed.
    failed: int
    # Parcels for which a calculation of a filter failed; whether they pass is not
    # known.
    unknown: int
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]


class AreaAnswer(TypedDict, total=False):
    # A value for `geometry` of POST /v1/search: valid and within its limits.
    geometry: dict[str, Any]
    # International acres, geodesic.
    acres: float
    # Closing ones counted.
    vertices: int
    resolved_location: ResolvedLocation
    status: Literal["complete"]
    completion_reason: Literal["exhausted"]
    request_id: str


class AskAnswer(TypedDict, total=False):
    lat: float
    lng: float
    question: str
    answered_at: str
    answer: str
    confidence: Literal["high", "medium", "low"]
    citations: list[Citation]
    # Fields with a value that the answer rests on.
    fields_used: list[str]
    # Planned fields without a value, each with the reason.
    data_gaps: list[DataGap]
    resolved_location: ResolvedLocation
    geocode: GeocodeBlock
    trace: AskTrace


class AskSiteAnswer(TypedDict, total=False):
    site_id: str
    question: str
    answered_at: str
    answer: str
    confidence: Literal["high", "medium", "low"]
    citations: list[Citation]
    # Fields with a value that the answer rests on.
    fields_used: list[str]
    # Planned fields without a value, each with the reason.
    data_gaps: list[DataGap]
    trace: AskTrace


class AskTrace(TypedDict):
    """The way to an answer."""

    # embedded, anthropic or openai.
    backend: str
    # What was planned, at most 15.
    fields_requested: list[str]
    preset_expanded: str | None
    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int
    cache_creation_input_tokens: int
    # Of the answer, each with the fields that it rests on.
    sentences: list[dict[str, Any]]
    # Sentences that no cited record supports, each with the reason; the answer says
    # what
    # the records say instead.
    dropped: list[dict[str, Any]]
    # Parts of the question, each with what became of it.
    parts: list[dict[str, Any]]
    # Up to three questions of the same matter that are answered for the same place.
    follow_ups: list[str]
    # Requests that may answer what this answer does not; a body of null is left to the
    # caller.
    next: list[dict[str, Any]]


class AssemblageAnswer(TypedDict):
    # Least acres beyond `acres_min` first, equal ones in stored order.
    groups: list[dict[str, Any]]
    # Parcels for which a calculation of a filter failed; whether they pass is not
    # known.
    unknown: int
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class BeginOnboardingAnswer(TypedDict):
    attempt_id: str
    # A secret, good once within 15 minutes. It is in this answer alone.
    connect_code: str
    # Of the code.
    expires_at: str


class BuildableAnswer(TypedDict):
    gross_acres: float
    buildable_acres: float | None
    largest_piece_acres: float | None
    undecidable_fraction: float | None
    geometry: dict[str, Any] | None
    exclusions: list[dict[str, Any]]
    # Layers of which nothing is known here, and why.
    partial_failures: list[dict[str, Any]]
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class ChangeSettingsAnswer(TypedDict):
    settings: dict[str, Any]


class ChangesAnswer(TypedDict):
    since: str
    # The later release: `since` of the next time.
    release: str
    # Layers whose rows differ, once each over all pages.
    layers: list[dict[str, Any]]
    parcels: list[dict[str, Any]]
    # What could not be compared, and why.
    gaps: list[dict[str, Any]]
    next_cursor: str | None


class Citation(TypedDict):
    """A source and what of the answer rests on it."""

    # Identifier of the product that answered; each once.
    source: str
    source_url: str | None
    fields: list[str]
    # When the oldest of its values was read or computed.
    fetched_at: str
    # The lowest of its records.
    confidence: str


class CorrectionAnswer(TypedDict):
    correction_id: str
    status: Status
    field: str
    # The value, of the type and in the unit of the field.
    value: str | float | bool
    # Of the field.
    unit: str | None
    place: dict[str, Any]
    evidence: dict[str, Any]
    # The answer when it was filed.
    source_says: dict[str, Any]
    # Why it was decided as it was; null before.
    reason: str | None
    created_at: str
    updated_at: str


class CoverageCatalogAnswer(TypedDict):
    release: str | None
    # Files of the whole country.
    national: list[dict[str, Any]]
    statewide: list[dict[str, Any]]
    # By FIPS code.
    counties: list[dict[str, Any]]
    # Null on the last page.
    next_after: str | None


class CreateTokenAnswer(TypedDict):
    id: str
    name: str | None
    created_at: str
    expires_at: str
    # Noted every ten seconds; null before the first use.
    last_used_at: str | None
    # Whether it can be shown again: not after the secret that signs tokens was changed.
    recoverable: bool
    status: Literal["active", "expired", "revoked"]
    # Keep it secret: it can do what the account can.
    token: str


class DataGap(TypedDict):
    """A planned field that has no value."""

    field: str
    status: Literal["absent", "failed"]
    reason: str


class EnrichAnswer(TypedDict, total=False):
    lat: float
    lng: float
    fetched_at: str
    resolved_location: ResolvedLocation
    geocode: GeocodeBlock
    analysis_point: dict[str, Any] | None
    parcel_match: ParcelMatch
    # In the order of the presets, whatever the order of the request. Empty unless the
    # parcel matched.
    fields: dict[str, EnrichRecord]
    partial_failures: list[PartialFailure]


class EnrichRecord(TypedDict, total=False):
    """A value of a parcel, with what it means for a decision."""

    # Null when absent or failed.
    value: Any
    unit: str | None
    # Identifier of the product that answered.
    source: str
    source_url: str | None
    confidence: str
    # When the value was read or computed; a cached value keeps its own.
    fetched_at: str
    dataset_vintage: str | None
    # How long a caller may keep an ok or absent entry.
    ttl_seconds: int
    notes: str | None
    # `ok`: there is a value; zero, false and an empty list are values. `absent`: the
    # source has none here, `notes` says why. `failed`: it could not be read.
    status: Literal["ok", "absent", "failed"]
    # Only on failed entries.
    error: str
    # Only on failed entries: whether trying again can help.
    retryable: bool
    interpretation_hints: str


class ExchangeConnectCodeAnswer(TypedDict):
    attempt_id: str
    # An API token of the account.
    token: str
    token_id: str
    # Of the token.
    expires_at: str


class ExportAnswer(TypedDict):
    export_id: str
    # It ends as `done`, with its `files`, or `failed`, with `error`; an export that
    # failed costs nothing.
    status: Literal["queued", "running", "done", "failed"]
    created_at: str
    updated_at: str
    expires_at: str
    # Rows.
    progress: dict[str, Any]
    # So far. Values are those of fields that were computed.
    counts: dict[str, Any]
    # Gaps, a sentence each, such as a county that cannot be read.
    warnings: list[str]
    # Once it is done: the table, and whom its columns are cited from.
    files: list[dict[str, Any]]
    error: dict[str, Any] | None
    request: dict[str, Any]


class FetchAnswer(TypedDict, total=False):
    lat: float
    lng: float
    fetched_at: str
    fields: dict[str, FieldRecord]
    partial_failures: list[PartialFailure]
    resolved_location: ResolvedLocation
    geocode: GeocodeBlock


class FetchBatchAnswer(TypedDict, total=False):
    fetched_at: str
    # `results[i]` answers `locations[i]`.
    results: list[dict[str, Any]]
    # Only on a stored result; it costs nothing.
    replayed: Any


class FetchQuoteAnswer(TypedDict):
    # Resolved names: the preset, then `fields`, each once.
    fields: list[str]
    field_count: int
    preset: str | None
    locations: int
    plan: str
    credits_per_location: int
    credits_total: int
    breakdown: dict[str, Any]
    allowance: dict[str, Any]
    notes: list[str]


class FieldCatalogAnswer(TypedDict):
    release: str | None
    # The county asked about; null: all.
    county_fips: str | None
    # Parcels that the shares are of; null where they are not counted yet.
    parcels: int | None
    # Names that are answered at a point and that a search cannot filter by yet, because
    # their values for the parcels are not calculated; null where there are none.
    calculations: dict[str, Any] | None
    # Fetch fields.
    count: int
    # Names that each surface accepts.
    counts: dict[str, Any]
    layers: list[dict[str, Any]]
    presets: list[dict[str, Any]]
    enrich_presets: list[dict[str, Any]]
    price_list: dict[str, Any]
    fields: list[FieldMeta]
    # Names beside the fetch fields: stored parcel attributes and what only enrichment
    # or
    # search knows.
    further_names: list[dict[str, Any]]


class FieldMeta(TypedDict):
    """A field of the catalog: what it means, where it comes from and what it costs."""

    name: str
    layer: str
    type: str
    unit: str | None
    # Step that its numbers are rounded to, in its unit; null where it is no number, or
    # a
    # whole one.
    precision: float | None
    title: str
    description: str
    # What the value means to someone who must act on it.
    hint: str
    # Everyday words for it; questions are matched with them.
    terms: list[str]
    dataset: str
    # Every dataset it reads, directly or through other fields.
    datasets: list[str]
    publisher: str
    licence: str
    source_url: str | None
    # The products that this release answers it from, as `source` of records names them;
    # null for none.
    source: str | None
    # Of those products.
    vintage: str | None
    # Whether this release can answer it: every layer that it needs is there, and
    # publishes what is read of it.
    installed: bool
    # Why it cannot be answered, or why no parcel has a value; null elsewhere.
    why_not: str | None
    # Share of the parcels that have a value, 0 to 1, 4 decimals; null where nothing is
    # stored for parcels, or where they are not counted yet.
    parcel_share: float | None
    # What the open release has of the layers it reads, 20 products at most;
    # /v1/meta/coverage has all.
    in_release: list[dict[str, Any]]
    # The expression that computes it.
    operator: str
    ttl_seconds: int
    # Fetch presets that hold it.
    presets: list[str]
    enrich_presets: list[str]
    # Where the name is accepted: fetch, enrich, filter, output.
    surfaces: list[str]
    # What its type allows in filters.
    filter_operators: list[str]
    # Every value it can have, where the publisher has a closed list; null elsewhere.
    enum_values: list[str | float | bool] | None
    # How its value decides a matter, as answers in words and the explorer judge; null
    # for
    # a field that decides none. Whatever the value, a mapped line nearer than the
    # source
    # is accurate puts it on the line: `notes` of the record says so.
    verdict: dict[str, Any] | None
    billing: dict[str, Any]


class FieldRecord(TypedDict, total=False):
    """One value with where it comes from, or why there is none."""

    # Null when absent or failed.
    value: Any
    unit: str | None
    # Identifier of the product that answered.
    source: str
    source_url: str | None
    confidence: str
    # When the value was read or computed; a cached value keeps its own.
    fetched_at: str
    dataset_vintage: str | None
    # How long a caller may keep an ok or absent entry.
    ttl_seconds: int
    notes: str | None
    # `ok`: there is a value; zero, false and an empty list are values. `absent`: the
    # source has none here, `notes` says why. `failed`: it could not be read.
    status: Literal["ok", "absent", "failed"]
    # Only on failed entries.
    error: str
    # Only on failed entries: whether trying again can help.
    retryable: bool


class FieldRequestAnswer(TypedDict):
    request_id: str
    # Its step. `waiting_on` says whose turn it is.
    status: FieldRequestStatus
    # Whom it waits for.
    waiting_on: Literal["requester", "operator"] | None
    # Reserved.
    phase: Any
    # 1 is next, 0 is worked on; null without a build ticket.
    queue_position: int | None
    # Promised when it was accepted, never changed.
    estimated_ready_at: str | None
    resolved_locations: list[dict[str, Any]]
    disposition: list[dict[str, Any]]
    # The first one of `disposition`.
    resume: dict[str, Any] | None
    created_at: str
    updated_at: str
    # As it was sent first.
    context_blob: str | None


class FileCorrectionAnswer(TypedDict):
    correction_id: str
    status: Status
    # Path of the correction.
    poll: str


class FileFieldRequestAnswer(TypedDict):
    request_id: str
    # Its step. `waiting_on` says whose turn it is.
    status: FieldRequestStatus
    # Path of the request.
    poll: str


class GeocodeBlock(TypedDict, total=False):
    """The way in which an address was found."""

    lat: float
    lng: float
    # Similarity 0 to 1, never below 0.8. Null from the fallback, which gives none.
    accuracy: float | None
    # How the coordinate was derived.
    accuracy_type: str
    # Further detail, such as `building_centroid`.
    match_type: str | None
    # The address that was matched: compare it with what was typed.
    normalized_address: str | None
    # Who answered: `other` is the geocoder of this installation.
    provider: Literal["commercial", "census", "other"]
    # Authority the coordinate came from.
    source: str | None
    # False when the coordinate is estimated on the street.
    parcel_grade: bool
    # Only when `parcel_grade` is false.
    precision_note: str


class GuestAnswer(TypedDict, total=False):
    # Null where the server lets no guests in.
    token: str | None
    # An hour later.
    expires_at: str | None
    scopes: list[Literal["read"]]
    # Why there is none.
    reason: str


class HealthAnswer(TypedDict):
    status: Literal["ok"]


class ListCorrectionsAnswer(TypedDict):
    # As GET /v1/corrections/{correction_id} has them.
    corrections: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None


class ListExportsAnswer(TypedDict):
    # As GET /v1/exports/{export_id} has them, without `request`.
    exports: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None


class ListFieldRequestsAnswer(TypedDict):
    # As GET /v1/field-requests/{request_id} has them, without `context_blob`.
    field_requests: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None


class ListGrantsAnswer(TypedDict):
    # What may act for the account now, newest first.
    grants: list[dict[str, Any]]


class ListRunsAnswer(TypedDict):
    # As GET /v1/runs/{run_id} has them, without `request` and `result`.
    runs: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None


class ListSitesAnswer(TypedDict):
    sites: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None


class ListTemplatesAnswer(TypedDict):
    templates: list[dict[str, Any]]


class ListTokensAnswer(TypedDict):
    # Newest first, 1,000 at most.
    tokens: list[Token]


class ListWatchesAnswer(TypedDict):
    watches: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None


class MatchedParcel(TypedDict):
    """A parcel that a location may be about."""

    # Stays the same from release to release.
    parcel_id: str
    apn: str | None
    address: str | None
    source: str
    match_type: Literal["contains", "nearest", "address"]
    # From the location to the parcel; 0 inside it.
    match_distance_m: float


class OgcCollectionAnswer(TypedDict, total=False):
    """As OGC API defines it."""

    links: list[dict[str, Any]]


class OgcItemAnswer(TypedDict, total=False):
    type: Literal["Feature"]
    id: str
    geometry: dict[str, Any]
    properties: dict[str, Any]
    links: list[dict[str, Any]]


class OgcItemsAnswer(TypedDict, total=False):
    type: Literal["FeatureCollection"]
    timeStamp: str
    # All features that are meant, where that is known.
    numberMatched: int
    numberReturned: int
    links: list[dict[str, Any]]
    features: list[dict[str, Any]]


class OnboardingAttemptAnswer(TypedDict):
    attempt_id: str
    # `connected` once the code was exchanged; `complete` with clients, skill, the stage
    # `verified` and a first call.
    status: Literal["waiting", "connected", "complete"]
    # When `installed` was told first.
    installed_at: str | None
    # When `verified` was told first.
    verified_at: str | None
    # When a fetch of this attempt first gave a value.
    first_call_at: str | None
    clients: list[str]
    skill_installed: bool
    # What it asked and where the values came from; never the values.
    first_call: dict[str, Any] | None
    # Of the connect code.
    expires_at: str


class OnboardingTermsAnswer(TypedDict):
    version: str
    # Of the document at `url`, byte by byte, in hexadecimal.
    sha256: str
    url: str
    privacy_url: str
    # What to show beside the button.
    notice: str


class OperatorPlacesAnswer(TypedDict):
    # Places that fail first, the longest failing before all others; then by name.
    places: list[dict[str, Any]]


class OwnerParcelsAnswer(TypedDict):
    matches: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class OwnersAnswer(TypedDict):
    # Those with most parcels first.
    owners: list[dict[str, Any]]
    # Null: this is the last page.
    next_cursor: str | None
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class ParcelMatch(TypedDict):
    """The parcel that a location is about."""

    # `matched`: one parcel. `ambiguous`: several, see `candidates`. `no_match`: none is
    # there. `unavailable`: it is not known whether one is there, see `reason`.
    status: ParcelMatchStatus
    parcel: MatchedParcel | None
    # When ambiguous: by area, then key.
    candidates: list[MatchedParcel]
    reason: str | None


class PartialFailure(TypedDict):
    """A field that could not be read."""

    field: str
    source: str
    error: str
    retryable: bool


class PlanCatalogAnswer(TypedDict):
    plans: list[dict[str, Any]]
    prices: list[dict[str, Any]]
    resets: str


class PollDeviceLoginAnswer(TypedDict):
    # An API token of the account that approved. It is in this answer alone.
    token: str
    token_id: str
    expires_at: str


class ProximityIsochroneAnswer(TypedDict):
    operation: Literal["isochrone"]
    type: Literal["FeatureCollection"]
    # Widest first.
    features: list[dict[str, Any]]
    origin: dict[str, Any]
    # Null where nothing was driven.
    provider: Literal["embedded", "osrm", "valhalla"] | None
    source: str | None
    source_url: str | None
    dataset_vintage: str | None
    note: str | None
    distances: Distances
    # Driving calculations that were made and charged.
    calculations: int


class ProximityLaborShedAnswer(TypedDict):
    operation: Literal["labor_shed"]
    origin: dict[str, Any]
    min_minutes: float
    max_minutes: float
    # Nearest first.
    tracts: list[dict[str, Any]]
    totals: dict[str, Any]
    coverage: dict[str, Any]
    # Null where nothing was driven.
    provider: Literal["embedded", "osrm", "valhalla"] | None
    source: str | None
    source_url: str | None
    dataset_vintage: str | None
    note: str | None
    distances: Distances
    # Driving calculations that were made and charged.
    calculations: int


class ProximityMatrixAnswer(TypedDict):
    operation: Literal["matrix"]
    origins: list[dict[str, Any]]
    destinations: list[dict[str, Any]]
    # Rows by origin; null where no way leads or a place has no road.
    minutes: list[list[float | None]]
    # Length of the fastest way.
    meters: list[list[float | None]]
    # Locators that have no place on a road; everything about them is null.
    unresolved: list[dict[str, Any]]
    # Null where nothing was driven.
    provider: Literal["embedded", "osrm", "valhalla"] | None
    source: str | None
    source_url: str | None
    dataset_vintage: str | None
    note: str | None
    distances: Distances
    # Driving calculations that were made and charged.
    calculations: int


class ProximityNearestAnswer(TypedDict):
    operation: Literal["nearest"]
    origin: dict[str, Any]
    by: Literal["drive_time", "straight_line"]
    set: str | None
    results: list[dict[str, Any]]
    # Locators that have no place on a road; everything about them is null.
    unresolved: list[dict[str, Any]]
    # Null where nothing was driven.
    provider: Literal["embedded", "osrm", "valhalla"] | None
    source: str | None
    source_url: str | None
    dataset_vintage: str | None
    note: str | None
    distances: Distances
    # Driving calculations that were made and charged.
    calculations: int


class ProximityScreenAnswer(TypedDict):
    operation: Literal["screen"]
    match: Literal["all", "any"]
    results: list[dict[str, Any]]
    # Locators that have no place on a road; everything about them is null.
    unresolved: list[dict[str, Any]]
    # Null where nothing was driven.
    provider: Literal["embedded", "osrm", "valhalla"] | None
    source: str | None
    source_url: str | None
    dataset_vintage: str | None
    note: str | None
    distances: Distances
    # Driving calculations that were made and charged.
    calculations: int


class PutTemplateAnswer(TypedDict):
    # For `template` of POST /v1/buildable.
    name: str
    title: str
    # False of those that every account has.
    own: bool
    exclusions: list[dict[str, Any]]
    boundary_setback_m: float
    # Null: any slope.
    max_slope_percent: float | None
    min_width_m: float
    min_piece_acres: float


class QuantileCatalogAnswer(TypedDict):
    release: str | None
    county_fips: str | None
    probabilities: list[float]
    # By field, the county first.
    rows: list[dict[str, Any]]


class RankAnswer(TypedDict):
    matches: list[dict[str, Any]]
    # Parcels that pass every filter.
    considered: int
    # Those that lack a criterion: they come last.
    absent: int
    # Those for which the calculation of a criterion failed: they have no rank.
    failed: int
    # Parcels for which a calculation of a filter failed; whether they pass is not
    # known.
    unknown: int
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]


class ReadinessAnswer(TypedDict):
    # `degraded`: it answers, and something of the release, or the next release, cannot
    # be
    # used; see `damage`.
    status: Literal["ready", "degraded"]
    # Id of the release that answers.
    release: str
    # Dataset → layer → what is installed.
    datasets: dict[str, dict[str, dict[str, Any]]]
    workers: dict[str, Any]
    # Layers that every worker has opened, and those that are opened when they are first
    # asked for.
    warm: dict[str, Any]
    # Layers of which a file cannot be used.
    damaged: list[str]
    # What cannot be used and why; the file `current` names the release, and `store` is
    # where the next one cannot be pulled from.
    damage: list[dict[str, Any]]


class ReceiptAnswer(TypedDict):
    receipt_id: str
    created_at: str
    # The address of the service.
    service: str
    # `sha256` is of the canonical JSON of the body: names in order, no spaces.
    request: dict[str, Any]
    # `content_sha256` is of the canonical JSON of the answer without what differs from
    # call to call (times of reading, the id of the request, cursors); `parts` has the
    # first digits of the digest of each part, so that it can be said where another
    # answer
    # differs.
    answer: dict[str, Any]
    # The manifest has the SHA-256 of every file of the release.
    release: dict[str, Any]
    engine: dict[str, Any]
    # `kid` of its key at /.well-known/receipt-keys.json.
    key_id: str
    # Ed25519 over the canonical JSON of the receipt without `signature`, in base64url.
    signature: str


class RegisterSiteAnswer(TypedDict):
    # The same for polygons that differ only in how they are written.
    site_id: str
    # Once `ready`, its dossier can be read and questions answered. After `failed`
    # register it again.
    status: Literal["building", "ready", "failed"]
    message: str


class RegisterWatchAnswer(TypedDict):
    watch_id: str
    # `stopped`: its webhook answered 410 and it names no other way to tell.
    status: Literal["active", "stopped"]
    created_at: str


class ResolvedLocation(TypedDict):
    """The point that the answer is about."""

    lat: float
    lng: float
    source: Literal["coordinate", "address"]


class RevealTokenAnswer(TypedDict):
    id: str
    token: str


class RunAnswer(TypedDict):
    run_id: str
    kind: Literal["fetch_batch"]
    # It ends as `done`, with its result, or `failed`, with `error`; a run that failed
    # costs nothing.
    status: Literal["queued", "running", "done", "failed"]
    created_at: str
    updated_at: str
    expires_at: str
    progress: dict[str, Any]
    # `fields` and `preset` apply to every location; at least one of them is needed.
    request: dict[str, Any]
    # Once it is done what POST /v1/fetch/batch would have answered; null before.
    result: dict[str, Any] | None
    error: dict[str, Any] | None


class RunArtifactAnswer(TypedDict):
    type: Literal["FeatureCollection"]
    features: list[dict[str, Any]]


class ScorecardAnswer(TypedDict):
    release: str | None
    # By county, then by field in catalog order.
    rows: list[dict[str, Any]]
    counties: list[dict[str, Any]]
    # Counties of the release that did not fit: ask for each by its code.
    counties_left: int
    # Layers that the field is read from, with their age; empty without `field`.
    sources: list[dict[str, Any]]


class SearchAnswer(TypedDict):
    matches: list[dict[str, Any]]
    # `complete`: nothing follows. `limited`: more may follow, go on with `next_cursor`.
    # `partial`: something could not be read, so that matches may be missing; a cursor
    # goes on behind it. All was found where every page of a walk is `complete` or
    # `limited`.
    status: Literal["complete", "limited", "partial"]
    # Of `complete`: `exhausted`. Of `limited`: `limit_reached`, the page is full;
    # `work_limit`, a setting of the server. Of `partial`: `timeout`;
    # `field_data_unavailable`, a calculation failed for some parcels;
    # `source_unavailable`, a county cannot be read.
    completion_reason: SearchCompletionReason
    request_id: str
    next_cursor: str | None


class SearchCountAnswer(TypedDict):
    # Parcels that pass every filter.
    count: int
    # Different outlines among them: the apartments of a house may be a row each, with
    # the
    # outline of one lot.
    outlines: int
    # Whether there may be more: the bound was reached, or `warnings` says what was not
    # counted.
    at_least: bool
    # Parcels for which a calculation of a filter failed; they are not counted.
    unknown: int
    # What the filters could not tell, such as an empty column.
    warnings: list[str]
    # Each filter, counted to the same bound: what the count would be without it.
    per_filter: list[dict[str, Any]]
    # The first ten, as a search has them.
    preview: list[dict[str, Any]]


class SearchTilesAnswer(TypedDict):
    # Address of the vector tiles, with {z}, {x} and {y}. It needs no token: whoever has
    # it sees the parcels. Zooms 0 to 16.
    tiles: str
    # An hour later. From then on the address is 404.
    expires_at: str
    # Parcels for which a calculation of a filter failed; whether they pass is not
    # known.
    unknown: int
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]


class SimilarAnswer(TypedDict):
    # The likest first; equal ones by `parcel_id`. The parcel itself is none of them.
    matches: list[dict[str, Any]]
    # Its own values: what it lacks is not compared.
    parcel: dict[str, Any]
    # Parcels that pass every filter beside the parcel itself.
    considered: int
    # Those that lack a field that is compared: they have no rank.
    absent: int
    # Those for which the calculation of such a field failed: they have no rank.
    failed: int
    # Parcels for which a calculation of a filter failed; whether they pass is not
    # known.
    unknown: int
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class SiteAnswer(TypedDict):
    site_id: str
    # Once `ready`, its dossier can be read and questions answered. After `failed`
    # register it again.
    status: Literal["building", "ready", "failed"]
    # International acres.
    site_acres: float
    # Least longitude and latitude, greatest longitude and latitude.
    site_extent: list[float]
    # When the screening was through; null before.
    built_at: str | None


class SiteDossierAnswer(TypedDict):
    site_id: str
    release: str | None
    built_at: str
    # International acres.
    acres: float
    extent: list[float]
    analysis_point: dict[str, Any]
    # By field a fetch record at the analysis point with its source; `area` says what
    # holds of the whole ground: acres and shares, least, mean and greatest value, what
    # is
    # not covered.
    records: dict[str, Any]
    # Number of parcels, acres on the site (ground counted once), and up to 500 of them
    # with `parcel_id`, acres and acres on the site.
    parcels: Any


class StartDeviceLoginAnswer(TypedDict):
    # A secret of who polls.
    device_code: str
    # What the user compares or types.
    user_code: str
    verification_uri: str
    # The same with the code in it.
    verification_uri_complete: str
    # Seconds.
    expires_in: int
    # Seconds between two polls.
    interval: int


class StructuresAnswer(TypedDict):
    ground_acres: float
    # Coverage of the building footprints there.
    footprints: dict[str, Any]
    count: int | None
    # The largest first, 200 at most.
    structures: list[dict[str, Any]]
    # Gaps in what is known, such as a column without any value. They are no finding.
    warnings: list[str]
    # `complete`: all that was asked about was read. `partial`: some of it was not, so
    # that more may be true.
    status: Literal["complete", "partial"]
    # Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or
    # county is not here or cannot be read; `timeout`.
    completion_reason: CompletionReason
    request_id: str


class SubmitExportAnswer(TypedDict, total=False):
    export_id: str
    status: Literal["queued"]
    # Path of the export.
    poll: str
    # Path of its events.
    events: str
    replayed: Any


class SubmitRunAnswer(TypedDict, total=False):
    run_id: str
    status: Literal["queued"]
    # Path of the run.
    poll: str
    # Path of its events.
    events: str
    replayed: Any


class SuggestAnswer(TypedDict):
    # The best first.
    suggestions: list[dict[str, Any]]


class Token(TypedDict):
    """An API token, without its secret part."""

    id: str
    name: str | None
    created_at: str
    expires_at: str
    # Noted every ten seconds; null before the first use.
    last_used_at: str | None
    # Whether it can be shown again: not after the secret that signs tokens was changed.
    recoverable: bool
    status: Literal["active", "expired", "revoked"]


class UploadAnswer(TypedDict):
    upload_id: str
    rows: int
    # Names in the file.
    columns: list[str]
    expires_at: str


class UsageAnswer(TypedDict):
    plan: str
    # `YYYY-MM`, UTC.
    period: str
    # Of the plan, a calendar month.
    credits_included: int
    # With what running requests have reserved.
    credits_used: int
    # Of the included ones.
    credits_remaining: int
    self_imposed_limit: int | None
    # The tighter of the plan's and the account's own limit.
    effective_limit: int
    # The 1st of next month, 00:00 UTC.
    resets_at: str
    # Adds up to `credits_used`.
    by_endpoint: list[dict[str, Any]]
    # By the token or the agent that asked, the most credits first. Adds up to
    # `credits_used`.
    by_token: list[dict[str, Any]]
    # By the day on which a request came, days without any left out. Adds up to
    # `credits_used`.
    by_day: list[dict[str, Any]]


class WatchAnswer(TypedDict):
    watch_id: str
    # `stopped`: its webhook answered 410 and it names no other way to tell.
    status: Literal["active", "stopped"]
    created_at: str
    site_id: str | None
    # How many parcels are listed.
    parcels: int | None
    # How many filters the search has.
    filters: int | None
    fields: list[str]
    # Null where nobody is told any more.
    callback: dict[str, Any] | None
    # The release that its answer was compared with last.
    release: str
    # When a change was told last.
    told_at: str | None
    parcel_ids: list[str] | None
    search: dict[str, Any] | None
    # What was told last, for 30 days.
    last_event: dict[str, Any] | None
    # How the last event reached the callback.
    deliveries: list[dict[str, Any]]


class Operations(_Sender):
    """Every operation as the API description has it, with JSON as answers."""

    def accumulation(
        self,
        *,
        upload_id: str,
        value: str,
        within_m: float,
        limit: int | None = None,
        release: str | None = None,
    ) -> AccumulationAnswer:
        """Sums of a portfolio's values about each of its points.

        For each point of an uploaded portfolio the sum of a column over all points
        within a geodesic distance, and the circle with the largest. Free.

        Args:
            upload_id: A portfolio that POST /v1/uploads took, each row with `lat` and
                `lng`.
            value: The column whose numbers are summed, such as insured values.
            within_m: Geodesic meters about each point.
            limit: Circles that are answered, those with the largest sums.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/accumulation",
            body={
                "upload_id": upload_id,
                "value": value,
                "within_m": within_m,
                "limit": limit,
                "release": release,
            },
        )

    def aggregate(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        measures: Sequence[Mapping[str, Any]],
        release: str | None = None,
        group_by: Sequence[str | Mapping[str, Any]] | None = None,
        min_count: int | None = None,
        geometry: bool | None = None,
        stacked: bool | None = None,
    ) -> AggregateAnswer:
        """Parcels that pass every filter, in groups.

        Counts, sums, means, extremes and quantiles by field, county, city, ZIP code, H3
        cell or bins. In every group absent and failed values are counted apart, and
        small groups are called so. Free.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            group_by: Without any, all parcels are one group.
            min_count: Groups of fewer parcels are called small. Default 5.
            geometry: Whether cells come with their outline. Default false.
            stacked: Whether sums of acres count ground for every row that lies on it.
                Default false: apartments of one lot count its ground once in a group.
        """
        return self._call(
            "POST",
            "/v1/aggregate",
            body={
                "filters": filters,
                "measures": measures,
                "release": release,
                "group_by": group_by,
                "min_count": min_count,
                "geometry": geometry,
                "stacked": stacked,
            },
        )

    def area(
        self,
        *,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        parcel_id: str | None = None,
        geometry: Any = None,
        within_m: float | None = None,
        drive_minutes: float | None = None,
        release: str | None = None,
    ) -> AreaAnswer:
        """The area within a distance or a drive of a place.

        About a point, an address, a parcel, a line or a polygon: all places within so
        many geodesic meters, 0.1 % exact, or what is driven to from a point in so many
        minutes. It is always an area that a search takes. Free; a drive time costs what
        POST /v1/proximity/isochrone does. Filters of sets take the same body as `near`.

        Args:
            parcel_id: As enrichment, lookup and ranks answer it.
            geometry: A GeoJSON Point, LineString, MultiLineString, Polygon or
                MultiPolygon in WGS84, `type` and `coordinates` alone.
            within_m: Geodesic meters; of a polygon or parcel from its outline.
            drive_minutes: Instead: minutes of driving from a point.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/areas",
            body={
                "lat": lat,
                "lng": lng,
                "address": address,
                "parcel_id": parcel_id,
                "geometry": geometry,
                "within_m": within_m,
                "drive_minutes": drive_minutes,
                "release": release,
            },
        )

    def ask(
        self,
        *,
        question: str,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        include_trace: bool | None = None,
    ) -> AskAnswer:
        """A question about one place, answered with citations.

        Plans at most 15 fields for the question, fetches them and writes an answer in
        which every number, name, date and code stands in a cited record. `data_gaps`
        says what has no value and why. A question that the catalog cannot answer is
        answered with what is missing. What this release cannot answer is not looked up:
        the answer says which, and why. 20 credits a call, whatever is fetched; a
        failure costs nothing, nor does a question for which nothing is looked up. Allow
        120 s.

        Args:
            question: In plain language, English or Spanish; answered in that language.
            lat: Latitude in WGS84 degrees; together with `lng`.
            lng: Longitude in WGS84 degrees; together with `lat`.
            address: Street address, instead of a coordinate.
            include_trace: Adds `trace`; default false.
        """
        return self._call(
            "POST",
            "/v1/ask",
            body={
                "question": question,
                "lat": lat,
                "lng": lng,
                "address": address,
                "include_trace": include_trace,
            },
        )

    def ask_site(
        self,
        *,
        site_id: str,
        question: str,
        include_trace: bool | None = None,
    ) -> AskSiteAnswer:
        """A question about a registered site.

        Answered from what was found when the site was screened, over the whole polygon
        where a field has an area form; nothing is fetched again. 10 credits a call; a
        failure costs nothing.

        Args:
            site_id: Of POST /v1/sites.
            question: In plain language, English or Spanish; answered in that language.
            include_trace: Adds `trace`; default false.
        """
        return self._call(
            "POST",
            "/v1/ask-site",
            body={
                "site_id": site_id,
                "question": question,
                "include_trace": include_trace,
            },
        )

    def ask_stream(
        self,
        *,
        question: str,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        include_trace: bool | None = None,
    ) -> Iterator[Event]:
        """The same, as it is written.

        Server-sent events: `delta` `{text}` for each piece of the answer, then once
        either `final`, the body of POST /v1/ask, or `error` `{error, message,
        retryable}`, after which the text is to be discarded. A stream without a `final`
        has failed. Comments keep a silent stream alive. What fails before the first
        event is an HTTP error.

        Args:
            question: In plain language, English or Spanish; answered in that language.
            lat: Latitude in WGS84 degrees; together with `lng`.
            lng: Longitude in WGS84 degrees; together with `lat`.
            address: Street address, instead of a coordinate.
            include_trace: Adds `trace`; default false.
        """
        return self._stream(
            "POST",
            "/v1/ask/stream",
            body={
                "question": question,
                "lat": lat,
                "lng": lng,
                "address": address,
                "include_trace": include_trace,
            },
        )

    def assemblage(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        acres_min: float,
        owners_max: int | None = None,
        road_m: float | None = None,
        parcel_id: str | None = None,
        release: str | None = None,
        limit: int | None = None,
    ) -> AssemblageAnswer:
        """Parcels side by side that together are large enough.

        Groups of up to 12 parcels that pass every filter, lie side by side or across a
        road, and have together the acres asked for, of few owners. Those with the least
        acres beyond that come first. Free.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            acres_min: Acres of a group at least.
            owners_max: Owners of a group at most, as POST /v1/owners tells them apart.
                Left out: any number.
            road_m: Meters of a road, a railway or other ground of no parcel that a
                group may lie across. Default 0.
            parcel_id: A parcel that is in every group. It need not pass the filters.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            limit: Default 10.
        """
        return self._call(
            "POST",
            "/v1/assemblage",
            body={
                "filters": filters,
                "acres_min": acres_min,
                "owners_max": owners_max,
                "road_m": road_m,
                "parcel_id": parcel_id,
                "release": release,
                "limit": limit,
            },
        )

    def begin_onboarding(
        self,
        *,
        terms_version: str,
        terms_sha256: str,
    ) -> BeginOnboardingAnswer:
        """Accept the terms and get a connect code for an agent.

        Only from an action of the user who was shown the terms. Account, version,
        digest and time are recorded. The code is good once within 15 minutes.
        """
        return self._call(
            "POST",
            "/v1/users/me/onboarding",
            body={"terms_version": terms_version, "terms_sha256": terms_sha256},
        )

    def buildable(
        self,
        *,
        parcel_id: str | None = None,
        site_id: str | None = None,
        geometry: Any = None,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        template: str | None = None,
        exclusions: Sequence[Mapping[str, Any]] | None = None,
        boundary_setback_m: float | None = None,
        max_slope_percent: float | None = None,
        min_width_m: float | None = None,
        min_piece_acres: float | None = None,
        exclusion_geometry: bool | None = None,
        release: str | None = None,
    ) -> BuildableAnswer:
        """The ground on which something can be built.

        A parcel, a site or a polygon without the ground of layers of your choice, each
        with its own setback, without what is too steep, too narrow or too small, and
        how much each of them takes. 10 credits; a refusal costs nothing.

        Args:
            parcel_id: As enrichment, lookup and ranks answer it.
            site_id: A registered site of the account.
            geometry: A GeoJSON Polygon or MultiPolygon in WGS84.
            lat: The parcel at a coordinate.
            template: solar, wind, storage, data_center, housing, or a name of GET
                /v1/buildable/templates. What the body says itself overrides it.
            exclusions: Ground to keep clear of. One of a layer of the template takes
                the place of what that says of it.
            max_slope_percent: Of the cells of the elevation model.
            min_width_m: Narrower strips go.
            min_piece_acres: Smaller pieces go.
            exclusion_geometry: True: each exclusion shows its ground.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/buildable",
            body={
                "parcel_id": parcel_id,
                "site_id": site_id,
                "geometry": geometry,
                "lat": lat,
                "lng": lng,
                "address": address,
                "template": template,
                "exclusions": exclusions,
                "boundary_setback_m": boundary_setback_m,
                "max_slope_percent": max_slope_percent,
                "min_width_m": min_width_m,
                "min_piece_acres": min_piece_acres,
                "exclusion_geometry": exclusion_geometry,
                "release": release,
            },
        )

    def change_settings(
        self,
        *,
        monthly_credit_limit: int | None,
    ) -> ChangeSettingsAnswer:
        """Set what the account may spend a month.

        Args:
            monthly_credit_limit: Credits a month that the account allows itself; it
                tightens the plan's allowance and never widens it. 0 stops all that
                costs, null takes the limit off.
        """
        return self._call(
            "PATCH",
            "/v1/users/me/settings",
            body={"monthly_credit_limit": monthly_credit_limit},
            nulls=True,
        )

    def changes(
        self,
        *,
        since: str,
        state: str | None = None,
        fields: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ChangesAnswer:
        """What changed since a release.

        How many rows of each layer were added, removed and changed since a release,
        and, of the `fields` that are named, old and new value of each parcel where they
        differ. Parcels go by their keys, which stay through new numbers, splits and
        merges. Layers come on the first pages, parcels after them: go on with
        `next_cursor` until it is null. Pages are of one pair of releases, whatever is
        published meanwhile. It costs no credits.

        Args:
            since: A release that is kept: `release` of an answer from then, or one that
                `release_not_kept` lists.
            state: Two-letter code: what is of this state, and of the country.
            fields: Attributes and calculations of parcels with commas between, 50 at
                most. Without them only layers are told.
            limit: Parcels of a page, 1 to 1000; 100 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call(
            "GET",
            "/v1/changes",
            query={
                "since": since,
                "state": state,
                "fields": fields,
                "limit": limit,
                "cursor": cursor,
            },
        )

    def correction(self, correction_id: str) -> CorrectionAnswer:
        """A correction, whatever became of it.

        Read only by the account that filed it. `source_says` is what was answered when
        it was filed.
        """
        return self._call("GET", f"/v1/corrections/{_part(correction_id)}")

    def coverage_catalog(
        self,
        *,
        state: str | None = None,
        county: str | None = None,
        dataset: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> CoverageCatalogAnswer:
        """By county: which layers, from whom, how old.

        Files of a whole state or of the country stand apart: they hold for every county
        there. Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.

        Args:
            state: Two-letter code: this state alone.
            county: FIPS code: this county alone.
            dataset: This dataset alone.
            after: `next_after` of the page before.
            limit: Counties of a page, 1 to 100; 100 by default.
        """
        return self._call(
            "GET",
            "/v1/meta/coverage",
            query={
                "state": state,
                "county": county,
                "dataset": dataset,
                "after": after,
                "limit": limit,
            },
        )

    def create_token(
        self,
        *,
        name: str | None = None,
        expires_in_days: int | None = None,
    ) -> CreateTokenAnswer:
        """Create an API token.

        The token itself is in this answer alone, and in those of reveal while it is
        `recoverable`.

        Args:
            name: What it is for. No control characters.
            expires_in_days: Default 90.
        """
        return self._call(
            "POST",
            "/v1/users/me/tokens",
            body={"name": name, "expires_in_days": expires_in_days},
        )

    def delete_template(self, template: str) -> None:
        """Delete a template of buildable ground.

        Only an own one. Free.

        Args:
            template: Small letters, digits and `_`, at most 40; none that every account
                has.
        """
        return self._call("DELETE", f"/v1/buildable/templates/{_part(template)}")

    def delete_watch(self, watch_id: str) -> None:
        """Delete a watch.

        Nothing more is told, nor what waits to be sent. Free.
        """
        return self._call("DELETE", f"/v1/watches/{_part(watch_id)}")

    def enrich(
        self,
        *,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        fields: Sequence[str] | None = None,
        preset: Preset | None = None,
        release: str | None = None,
    ) -> EnrichAnswer:
        """Everything known of one parcel.

        Matches the place to one parcel and answers the requested fields for it at the
        parcel's stored interior point, each with its provenance and with what it means
        to someone who must act on it. Without `fields` and `preset` all are answered.
        `ambiguous`, `no_match` and `unavailable` say why in `reason` and answer no
        fields; an ambiguous place lists its candidates. A failed field is neither zero
        nor a negative finding: retry it where `retryable` is true. Costs nothing.

        Args:
            lat: Latitude in WGS84 degrees; together with `lng`.
            lng: Longitude in WGS84 degrees; together with `lat`.
            address: Street address, instead of a coordinate.
            fields: Enrich field ids; as many as are wanted.
            preset: A named list of fields; `fields` are added to it. Without either all
                fields are answered.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/enrich",
            body={
                "lat": lat,
                "lng": lng,
                "address": address,
                "fields": fields,
                "preset": preset,
                "release": release,
            },
        )

    def exchange_connect_code(self, *, connect_code: str) -> ExchangeConnectCodeAnswer:
        """Exchange a connect code for an API token.

        The code is used up by it, also when the answer is lost: then get a new code.
        """
        return self._call(
            "POST",
            "/v1/onboarding/exchange",
            body={"connect_code": connect_code},
        )

    def export(self, export_id: str) -> ExportAnswer:
        """An export."""
        return self._call("GET", f"/v1/exports/{_part(export_id)}")

    def export_events(self, export_id: str) -> Iterator[Event]:
        """The events of an export.

        Server-sent events, as those of a run.
        """
        return self._stream("GET", f"/v1/exports/{_part(export_id)}/events")

    def export_file(self, export_id: str, name: str) -> bytes:
        """A file of an export.

        Whole, or one range of bytes (`Range`), so that a download can go on. `ETag` is
        its SHA-256.
        """
        return self._call("GET", f"/v1/exports/{_part(export_id)}/files/{_part(name)}")

    def fetch(
        self,
        *,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        release: str | None = None,
    ) -> FetchAnswer:
        """Named fields at one location.

        Answers every requested field with value, source, vintage and status. Absence is
        an answer; a failed source is a `failed` entry, listed in `partial_failures`,
        and the response stays 200. Failed fields are not charged; absent ones are, and
        values from the 24-hour cache cost what fresh ones cost. An address is resolved
        first, which costs one credit unless it was resolved for this account in the
        last 30 days, and echoed as `geocode`.

        Args:
            lat: Latitude in WGS84 degrees; together with `lng`.
            lng: Longitude in WGS84 degrees; together with `lat`.
            address: Street address, instead of a coordinate.
            fields: Catalog names, see GET /v1/meta/fields. At most 50 different ones
                after preset expansion.
            preset: A named list of fields; expanded before `fields` are added.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/fetch",
            body={
                "lat": lat,
                "lng": lng,
                "address": address,
                "fields": fields,
                "preset": preset,
                "release": release,
            },
        )

    def fetch_batch(
        self,
        *,
        locations: Sequence[Mapping[str, Any]],
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        release: str | None = None,
        idempotency_key: str | None = None,
    ) -> FetchBatchAnswer:
        """Named fields at 1 to 25 locations.

        Four locations at a time, at most 90 seconds together; allow a client 120. A
        location that fails is an entry with `ok: false` and costs nothing, never a
        failed request. When the allowance does not cover every location, those it
        covers run and the others are `credits_exhausted` entries.

        Args:
            locations: Places, each as `lat` and `lng` or as `address`.
            fields: Catalog names, see GET /v1/meta/fields. At most 50 different ones
                after preset expansion.
            preset: A named list of fields; expanded before `fields` are added.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            idempotency_key: What is sent again with the same key is carried out once. A
                new one by default.
        """
        return self._call(
            "POST",
            "/v1/fetch/batch",
            body={
                "locations": locations,
                "fields": fields,
                "preset": preset,
                "release": release,
            },
            key=_key(idempotency_key),
        )

    def fetch_quote(
        self,
        *,
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        locations: int | None = None,
    ) -> FetchQuoteAnswer:
        """What a fetch or batch would cost.

        Free, takes no coordinates, and counts against the requests a minute. A run
        costs at most this.

        Args:
            fields: Catalog names, see GET /v1/meta/fields. At most 50 different ones
                after preset expansion.
            preset: A named list of fields; expanded before `fields` are added.
            locations: How many locations, a count and not a list; 1 when it is not
                given.
        """
        return self._call(
            "POST",
            "/v1/fetch/quote",
            body={"fields": fields, "preset": preset, "locations": locations},
        )

    def field_catalog(
        self,
        *,
        county_fips: str | None = None,
        available: bool | None = None,
    ) -> FieldCatalogAnswer:
        """Every field with its type, source, presets and price, and whether it can be
        answered here.

        Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.

        Args:
            county_fips: FIPS code: what this release holds of this county.
            available: `true`: only names that can be answered there and that some
                parcel has a value of.
        """
        return self._call(
            "GET",
            "/v1/meta/fields",
            query={"county_fips": county_fips, "available": available},
        )

    def field_request(self, request_id: str) -> FieldRequestAnswer:
        """A field request, whatever became of it.

        The source of truth, also when callbacks fail. Requests are read only by the
        account that filed them. `disposition` says what screening found for each part
        of the request; `resume` is a fetch request that gives the value.
        """
        return self._call("GET", f"/v1/field-requests/{_part(request_id)}")

    def file_correction(
        self,
        *,
        field: str,
        value: str | float | bool,
        evidence: Mapping[str, Any],
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        parcel_id: str | None = None,
        callback: Mapping[str, Any] | None = None,
    ) -> FileCorrectionAnswer:
        """Say that a value is wrong, and what it is.

        People review it, and no answer tells it before. A field of a parcel is
        corrected for the parcel that the place lies in; another one for the place, 10 m
        about it, or for all of a parcel that is named. Once it is accepted, records say
        so: `source` is `correction:` and the dataset, `confidence` medium, and `notes`
        what the source says. It costs no credits. What became of it is told to
        `callback`, or by mail to the account.

        Args:
            field: A name of the fetch or enrich catalog.
            value: The value, of the type and in the unit of the field.
            lat: WGS84, with `lng`: the place, or a point of the parcel.
            lng: WGS84, with `lat`.
            address: A street address.
            parcel_id: A parcel, as enrichment and lookup answer it: all of it is meant.
        """
        return self._call(
            "POST",
            "/v1/corrections",
            body={
                "field": field,
                "value": value,
                "evidence": evidence,
                "lat": lat,
                "lng": lng,
                "address": address,
                "parcel_id": parcel_id,
                "callback": callback,
            },
        )

    def file_field_request(
        self,
        *,
        description: str,
        example_locations: Sequence[Mapping[str, Any]],
        use_case: str | None = None,
        decision_threshold: str | None = None,
        deadline: str | None = None,
        area_of_interest: Mapping[str, Any] | None = None,
        expected_volume: Mapping[str, Any] | None = None,
        freshness: Mapping[str, Any] | None = None,
        constraints: Mapping[str, Any] | None = None,
        known_sources: Mapping[str, Any] | None = None,
        output_preference: Mapping[str, Any] | None = None,
        requested_fields: Sequence[Mapping[str, Any]] | None = None,
        callback: Mapping[str, Any] | None = None,
        context_blob: str | None = None,
        idempotency_key: str | None = None,
    ) -> FileFieldRequestAnswer:
        """Ask for a data point that the catalog lacks.

        The request is kept and screened in the background: what the catalog answers
        already is matched, what can be built is queued. Read it with GET, or name a
        `callback`. The same request under the same `idempotency_key` is that request
        again (200): a `callback` that comes replaces its callback, its first
        `context_blob` stays. Mail goes to the verified address of the account; any
        other address is asked first, by a mail with a link.

        Args:
            description: What the value says, in plain language.
            example_locations: Where you need it; each exactly one of `address`, `lat`
                with `lng`, `polygon`.
            use_case: What it is for.
            decision_threshold: The value at which you decide otherwise.
            deadline: When you need it.
            requested_fields: The values, where there are several.
            context_blob: Comes back as it is; at most 8 KB of UTF-8.
            idempotency_key: What is sent again with the same key is carried out once. A
                new one by default.
        """
        return self._call(
            "POST",
            "/v1/field-requests",
            body={
                "description": description,
                "example_locations": example_locations,
                "use_case": use_case,
                "decision_threshold": decision_threshold,
                "deadline": deadline,
                "area_of_interest": area_of_interest,
                "expected_volume": expected_volume,
                "freshness": freshness,
                "constraints": constraints,
                "known_sources": known_sources,
                "output_preference": output_preference,
                "requested_fields": requested_fields,
                "callback": callback,
                "context_blob": context_blob,
                "idempotency_key": _key(idempotency_key),
            },
        )

    def forget_site(self, site_id: str) -> None:
        """Forget a site.

        The account has it no more: the same polygon can be registered anew. What was
        found about it goes unless another account has the site. It costs no credits.
        """
        return self._call("DELETE", f"/v1/sites/{_part(site_id)}")

    def geocode(self, *, address: str) -> GeocodeBlock:
        """The place of an address.

        The coordinate of a street address, how it was derived and how similar the
        matched address is. Compare `normalized_address` with what was typed. An address
        that fits several places alike is not resolved: POST /v1/lookup offers the
        candidates. Nothing is charged for an address that is not resolved.

        Args:
            address: Street address in the United States.
        """
        return self._call("POST", "/v1/geocode", body={"address": address})

    def guest(self) -> GuestAnswer:
        """A token to look around without an account.

        It holds an hour, reads the fields of named presets and suggestions, is limited
        by the address of its client and costs nobody credits. Everything else answers
        401. The operator decides whether there are guests (PLAT_GUESTS).
        """
        return self._call("POST", "/v1/guest", body={})

    def health(self) -> HealthAnswer:
        """Whether the process runs."""
        return self._call("GET", "/healthz")

    def list_corrections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListCorrectionsAnswer:
        """The corrections of the account.

        Newest first. Go on with `next_cursor` until it is null. It costs no credits.

        Args:
            limit: Entries of a page, 1 to 50; 20 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call(
            "GET",
            "/v1/corrections",
            query={"limit": limit, "cursor": cursor},
        )

    def list_exports(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListExportsAnswer:
        """The exports of the account.

        How each stands, newest first, until it expires after 30 days. Go on with
        `next_cursor` until it is null. Free.

        Args:
            limit: Entries of a page, 1 to 50; 20 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call(
            "GET",
            "/v1/exports",
            query={"limit": limit, "cursor": cursor},
        )

    def list_field_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListFieldRequestsAnswer:
        """The field requests of the account.

        Newest first, each as it is read by its id, without `context_blob`. Go on with
        `next_cursor` until it is null. It costs no credits.

        Args:
            limit: Entries of a page, 1 to 50; 20 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call(
            "GET",
            "/v1/field-requests",
            query={"limit": limit, "cursor": cursor},
        )

    def list_runs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListRunsAnswer:
        """The runs of the account.

        How each stands, newest first, until it expires after 30 days. Go on with
        `next_cursor` until it is null. It costs no credits.

        Args:
            limit: Entries of a page, 1 to 50; 20 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call("GET", "/v1/runs", query={"limit": limit, "cursor": cursor})

    def list_sites(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSitesAnswer:
        """The sites of the account.

        The last registered first, until they expire 30 days later. Go on with
        `next_cursor` until it is null. It costs no credits.

        Args:
            limit: Entries of a page, 1 to 50; 20 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call("GET", "/v1/sites", query={"limit": limit, "cursor": cursor})

    def list_templates(self) -> ListTemplatesAnswer:
        """The templates of buildable ground.

        Those that every account has, and the account’s own. Free.
        """
        return self._call("GET", "/v1/buildable/templates")

    def list_watches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListWatchesAnswer:
        """The watches of the account.

        Newest first. Go on with `next_cursor` until it is null. Free.

        Args:
            limit: Entries of a page, 1 to 50; 20 by default.
            cursor: `next_cursor` of the page before; valid one hour.
        """
        return self._call(
            "GET",
            "/v1/watches",
            query={"limit": limit, "cursor": cursor},
        )

    def list_grants(self) -> ListGrantsAnswer:
        """Agents, devices and tokens that may act for the account."""
        return self._call("GET", "/v1/users/me/grants")

    def list_tokens(self) -> ListTokensAnswer:
        """API tokens of the account."""
        return self._call("GET", "/v1/users/me/tokens")

    def lookup(
        self,
        *,
        input: str,
        include_parcel: bool | None = None,
        kind: Literal["address", "coord", "apn"] | None = None,
        release: str | None = None,
    ) -> dict[str, Any]:
        """The join keys of a place.

        An address or coordinate with its jurisdictions, hazards, county market and
        parcel. `resolved` is one place; `clarify` offers up to three that fit alike and
        picks none; `no_match` says why and what to send instead. A value without data
        is null, each for itself; POST /v1/fetch says why and from which source.

        Args:
            input: An address, a `lat,lng` pair or a parcel number.
            include_parcel: Default true; false skips the parcel.
            kind: What `input` is; told from its shape when omitted.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/lookup",
            body={
                "input": input,
                "include_parcel": include_parcel,
                "kind": kind,
                "release": release,
            },
        )

    def ogc_collection(self, collection_id: str) -> OgcCollectionAnswer:
        """One collection."""
        return self._call("GET", f"/v1/ogc/collections/{_part(collection_id)}")

    def ogc_collections(self) -> OgcCollectionAnswer:
        """The layers of the release as collections of features."""
        return self._call("GET", "/v1/ogc/collections")

    def ogc_conformance(self) -> OgcCollectionAnswer:
        """The classes of the standards that are met."""
        return self._call("GET", "/v1/ogc/conformance")

    def ogc_grid(self, tile_matrix_set_id: str) -> OgcCollectionAnswer:
        """The definition of a grid of tiles."""
        return self._call("GET", f"/v1/ogc/tileMatrixSets/{_part(tile_matrix_set_id)}")

    def ogc_grids(self) -> OgcCollectionAnswer:
        """The grids of tiles."""
        return self._call("GET", "/v1/ogc/tileMatrixSets")

    def ogc_item(
        self,
        collection_id: str,
        feature_id: str,
        *,
        crs: str | None = None,
        f: str | None = None,
    ) -> OgcItemAnswer:
        """One feature.

        Args:
            crs: The reference system of the answer:
                http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or
                http://www.opengis.net/def/crs/EPSG/0/3857.
            f: `json`, the one format.
        """
        return self._call(
            "GET",
            f"/v1/ogc/collections/{_part(collection_id)}/items/{_part(feature_id)}",
            query={"crs": crs, "f": f},
        )

    def ogc_items(
        self,
        collection_id: str,
        *,
        limit: int | None = None,
        bbox: Any = None,
        bbox_crs: str | None = None,
        crs: str | None = None,
        datetime: str | None = None,
        filter: str | None = None,
        filter_lang: str | None = None,
        filter_crs: str | None = None,
        cursor: str | None = None,
        f: str | None = None,
    ) -> OgcItemsAnswer:
        """Features of a collection.

        In stored order, as GeoJSON. Filters are CQL2 (`filter`, `filter-lang`). The
        link `next` goes on; without it the page is the last. `numberMatched` is there
        where it is known without counting.

        Args:
            limit: Features of a page; 1000 at most come.
            bbox: West, south, east, north: features must meet the box. The west may lie
                east of the east, across longitude 180.
            bbox_crs: The reference system of `bbox`:
                http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or
                http://www.opengis.net/def/crs/EPSG/0/3857.
            crs: The reference system of the answer:
                http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or
                http://www.opengis.net/def/crs/EPSG/0/3857.
            datetime: A moment or a span. Features have no time of their own, so each is
                of any.
            filter: A filter in CQL2, as `acreage > 5 AND CASEI(owner) LIKE 'city of%'`.
            filter_lang: `cql2-text` (the default) or `cql2-json`.
            filter_crs: The reference system of geometries in `filter`:
                http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or
                http://www.opengis.net/def/crs/EPSG/0/3857.
            cursor: Of the link `next`; it lives one hour.
            f: `json`, the one format.
        """
        return self._call(
            "GET",
            f"/v1/ogc/collections/{_part(collection_id)}/items",
            query={
                "limit": limit,
                "bbox": bbox,
                "bbox-crs": bbox_crs,
                "crs": crs,
                "datetime": datetime,
                "filter": filter,
                "filter-lang": filter_lang,
                "filter-crs": filter_crs,
                "cursor": cursor,
                "f": f,
            },
        )

    def ogc_landing(self) -> OgcCollectionAnswer:
        """The first page of the OGC API."""
        return self._call("GET", "/v1/ogc")

    def ogc_queryables(self, collection_id: str) -> OgcCollectionAnswer:
        """The properties that a filter can ask for."""
        return self._call(
            "GET",
            f"/v1/ogc/collections/{_part(collection_id)}/queryables",
        )

    def ogc_tile_set(self, tile_matrix_set_id: str) -> OgcCollectionAnswer:
        """The vector tiles of the map."""
        return self._call("GET", f"/v1/ogc/tiles/{_part(tile_matrix_set_id)}")

    def ogc_tile_sets(self) -> OgcCollectionAnswer:
        """The sets of vector tiles."""
        return self._call("GET", "/v1/ogc/tiles")

    def onboarding_attempt(self, attempt_id: str) -> OnboardingAttemptAnswer:
        """How far an attempt has come."""
        return self._call("GET", f"/v1/users/me/onboarding/{_part(attempt_id)}")

    def onboarding_terms(self) -> OnboardingTermsAnswer:
        """The terms in force.

        A version never changes: `sha256` is of the document at `url`.
        """
        return self._call("GET", "/v1/onboarding/terms")

    def openapi(self) -> dict[str, Any]:
        """This description, OpenAPI 3.1."""
        return self._call("GET", "/v1/openapi.json")

    def operator_places(self) -> OperatorPlacesAnswer:
        """How the refresh of each place stands, for operators."""
        return self._call("GET", "/v1/operator/places")

    def owner_parcels(
        self,
        *,
        owner_id: str,
        limit: int | None = None,
        cursor: str | None = None,
        release: str | None = None,
    ) -> OwnerParcelsAnswer:
        """The parcels of one owner.

        As a search writes its matches, with `parcel_id`, in stored order, page by page.
        Free.

        Args:
            limit: Default 20.
            cursor: `next_cursor` of the page before.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/owners/parcels",
            body={
                "owner_id": owner_id,
                "limit": limit,
                "cursor": cursor,
                "release": release,
            },
        )

    def owners(
        self,
        *,
        state: str,
        name: str,
        county: str | None = None,
        match: Literal["prefix", "exact"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        release: str | None = None,
    ) -> OwnersAnswer:
        """Owners by name, with what they have.

        However rolls spell them: entity forms, the order of names and `&` make no other
        owner. With the number of parcels, acres and value. Where the release has no
        owners, or not of all counties, `status` is `partial`. Free.

        Args:
            state: Two letters.
            county: FIPS code, five digits.
            match: Default prefix: all words occur, of which the last may be a
                beginning. exact: the whole name, however it is written.
            limit: Default 20.
            cursor: `next_cursor` of the page before.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/owners",
            body={
                "state": state,
                "name": name,
                "county": county,
                "match": match,
                "limit": limit,
                "cursor": cursor,
                "release": release,
            },
        )

    def plan_catalog(self) -> PlanCatalogAnswer:
        """Plans and credit prices."""
        return self._call("GET", "/v1/meta/plans")

    def poll_device_login(self, *, device_code: str) -> PollDeviceLoginAnswer:
        """The API token of a login, once it is approved."""
        return self._call(
            "POST",
            "/v1/mcp/device/poll",
            body={"device_code": device_code},
        )

    def proximity(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Drive times, nearest places, screens, labor sheds.

        One of the operations below, named by `operation`. Drive times are over the
        roads of the release or of the provider that is configured; `provider`, `source`
        and `dataset_vintage` say which, `distances` whether they are driven or
        straight. It costs 1 credit per 10 driving calculations, and nothing when it
        fails.
        """
        return self._call("POST", "/v1/proximity", body=body)

    def proximity_isochrone(
        self,
        *,
        origin: Mapping[str, Any],
        minutes: Sequence[float],
    ) -> ProximityIsochroneAnswer:
        """Areas within minutes of driving.

        POST /v1/proximity without the key `operation`.

        Args:
            origin: Exactly one of `lat` with `lng`, and `address`.
            minutes: Minutes of driving, an area each.
        """
        return self._call(
            "POST",
            "/v1/proximity/isochrone",
            body={"origin": origin, "minutes": minutes},
        )

    def proximity_labor_shed(
        self,
        *,
        origin: Mapping[str, Any],
        max_minutes: float,
        min_minutes: float | None = None,
    ) -> ProximityLaborShedAnswer:
        """Who lives and works within a drive.

        POST /v1/proximity without the key `operation`.

        Args:
            origin: Exactly one of `lat` with `lng`, and `address`.
            max_minutes: Minutes of driving; more than `min_minutes`.
            min_minutes: Tracts nearer than this are left out; 0 by default.
        """
        return self._call(
            "POST",
            "/v1/proximity/labor_shed",
            body={
                "origin": origin,
                "max_minutes": max_minutes,
                "min_minutes": min_minutes,
            },
        )

    def proximity_matrix(
        self,
        *,
        origins: Sequence[Mapping[str, Any]],
        destinations: Sequence[Mapping[str, Any]],
    ) -> ProximityMatrixAnswer:
        """Drive times and lengths between places.

        POST /v1/proximity without the key `operation`.

        Args:
            origins: At most 3,500 pairs with `destinations`.
            destinations: At most 3,500 pairs with `origins`.
        """
        return self._call(
            "POST",
            "/v1/proximity/matrix",
            body={"origins": origins, "destinations": destinations},
        )

    def proximity_nearest(
        self,
        *,
        origin: Mapping[str, Any],
        candidates: str | Sequence[Mapping[str, Any]],
        k: int | None = None,
        by: Literal["drive_time", "straight_line"] | None = None,
        max_minutes: float | None = None,
        max_km: float | None = None,
    ) -> ProximityNearestAnswer:
        """The nearest of a set, or of given places.

        POST /v1/proximity without the key `operation`.

        Args:
            origin: Exactly one of `lat` with `lng`, and `address`.
            candidates: One of @airports, @substations, @power_plants, @rail, @ports,
                @urban_areas, or 1 to 500 locators.
            k: How many are wanted; 5 by default.
            by: `drive_time` by default.
            max_minutes: Farther ones are left out; only by drive time.
            max_km: Farther ones in a straight line are left out.
        """
        return self._call(
            "POST",
            "/v1/proximity/nearest",
            body={
                "origin": origin,
                "candidates": candidates,
                "k": k,
                "by": by,
                "max_minutes": max_minutes,
                "max_km": max_km,
            },
        )

    def proximity_screen(
        self,
        *,
        candidates: Sequence[Mapping[str, Any]],
        rules: Sequence[Mapping[str, Any]],
        match: Literal["all", "any"] | None = None,
    ) -> ProximityScreenAnswer:
        """Which places are near enough to what is named.

        POST /v1/proximity without the key `operation`.

        Args:
            candidates: Places that are screened.
            match: How many rules must hold; `all` by default.
        """
        return self._call(
            "POST",
            "/v1/proximity/screen",
            body={"candidates": candidates, "rules": rules, "match": match},
        )

    def put_template(
        self,
        template: str,
        *,
        title: str | None = None,
        exclusions: Sequence[Mapping[str, Any]] | None = None,
        boundary_setback_m: float | None = None,
        max_slope_percent: float | None = None,
        min_width_m: float | None = None,
        min_piece_acres: float | None = None,
    ) -> PutTemplateAnswer:
        """Make a template of buildable ground.

        Its name stands for its exclusions and numbers in `template` of POST
        /v1/buildable. It takes the place of an own one of the same name. Free.

        Args:
            template: Small letters, digits and `_`, at most 40; none that every account
                has.
            title: For people; the name without it.
            exclusions: Ground to keep clear of. One of a layer of the template takes
                the place of what that says of it.
            max_slope_percent: Of the cells of the elevation model.
            min_width_m: Narrower strips go.
            min_piece_acres: Smaller pieces go.
        """
        return self._call(
            "PUT",
            f"/v1/buildable/templates/{_part(template)}",
            body={
                "title": title,
                "exclusions": exclusions,
                "boundary_setback_m": boundary_setback_m,
                "max_slope_percent": max_slope_percent,
                "min_width_m": min_width_m,
                "min_piece_acres": min_piece_acres,
            },
        )

    def quantile_catalog(
        self,
        *,
        fields: str | None = None,
        county_fips: str | None = None,
    ) -> QuantileCatalogAnswer:
        """How the values of a numeric field are spread over the parcels of a county,
        its state and the release.

        Taken from the columns of the parcels when the release was made. Those of a
        county are exact; those of a state and of the release are right to one percent
        of the parcels. Sends a strong `ETag`; revalidate with `If-None-Match` after an
        hour.

        Args:
            fields: Names of numeric fields, at most 50 with commas between; without it
                all of them.
            county_fips: This county, its state and the release; without it the release.
        """
        return self._call(
            "GET",
            "/v1/meta/quantiles",
            query={"fields": fields, "county_fips": county_fips},
        )

    def quote_export(
        self,
        *,
        format: Format,
        search: Mapping[str, Any] | None = None,
        upload_id: str | None = None,
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        release: str | None = None,
    ) -> FetchQuoteAnswer:
        """Rows and price of an export, without making it.

        The body of POST /v1/exports; the answer of POST /v1/fetch/quote, with a
        location for each row. Free.

        Args:
            search: Every parcel that passes, without pages. Or `upload_id`.
            upload_id: Every row of POST /v1/uploads.
            fields: Catalog names, see GET /v1/meta/fields. At most 50 different ones
                after preset expansion.
            preset: A named list of fields; expanded before `fields` are added.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/exports/quote",
            body={
                "format": format,
                "search": search,
                "upload_id": upload_id,
                "fields": fields,
                "preset": preset,
                "release": release,
            },
        )

    def rank(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        release: str | None = None,
        order_by: Sequence[Mapping[str, Any]] | None = None,
        score: Sequence[Mapping[str, Any]] | None = None,
        fields: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> RankAnswer:
        """The first parcels of those that pass every filter.

        All parcels that pass are compared, by up to five fields in turn or by one score
        of up to ten; each match has the value of every criterion and its percentile
        among them. Absent values come last; parcels for which the calculation of a
        criterion failed are counted apart. Free.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            order_by: One after another; absent values come last.
            score: Instead of `order_by`: the weighted mean of the percentiles, 0 to
                100, highest first.
            fields: Further outputs of each match.
            limit: Default 20.
        """
        return self._call(
            "POST",
            "/v1/rank",
            body={
                "filters": filters,
                "release": release,
                "order_by": order_by,
                "score": score,
                "fields": fields,
                "limit": limit,
            },
        )

    def readiness(self) -> ReadinessAnswer:
        """Whether it can answer: release, datasets and workers."""
        return self._call("GET", "/readyz")

    def receipt(self, receipt_id: str) -> ReceiptAnswer:
        """The receipt of an answer.

        What was asked, hashes of what was answered and of the files that it came from,
        signed. `plat verify` recomputes the answer from the release. An answer has one
        where its request had `X-Service-Receipt: 1`. Kept for 30 days. It costs no
        credits.
        """
        return self._call("GET", f"/v1/receipts/{_part(receipt_id)}")

    def register_site(self, *, site: Any) -> RegisterSiteAnswer:
        """Register a polygon, to be screened once.

        The same polygon, however it is written, is the same site. It is screened in the
        background, once for all who register it. Every call with a valid polygon is
        charged, also for a site that is ready; a polygon that is refused is not.

        Args:
            site: A GeoJSON Polygon or MultiPolygon in WGS84 with `type` and
                `coordinates` alone: positions [longitude, latitude], rings closed and
                valid, no altitude, no Feature around it. At most 200,000 acres and
                20,000 vertices.
        """
        return self._call("POST", "/v1/sites", body={"site": site})

    def register_watch(
        self,
        *,
        fields: Sequence[str],
        callback: Mapping[str, Any],
        site_id: str | None = None,
        parcel_ids: Sequence[str] | None = None,
        search: Mapping[str, Any] | None = None,
    ) -> RegisterWatchAnswer:
        """Be told when a publication changes an answer.

        A site, up to 500 parcels or a search is asked again after each publication, in
        the release before and in the new one. Where the answer differs, the webhook or
        the address is told the old and the new value and the files that differ, at
        least once. Nothing is told where nothing changed. Free; how many an account may
        have is part of its plan.

        Args:
            fields: Of a site fields of POST /v1/fetch, of parcels and searches those of
                POST /v1/enrich.
            callback: Where changes are told: `webhook_url`, `email` or both.
            site_id: A site of the account.
            parcel_ids: As enrichment, lookup and ranks answer them.
        """
        return self._call(
            "POST",
            "/v1/watches",
            body={
                "fields": fields,
                "callback": callback,
                "site_id": site_id,
                "parcel_ids": parcel_ids,
                "search": search,
            },
        )

    def reveal_token(self, id: str) -> RevealTokenAnswer:
        """Show an active API token again.

        Ten times a minute, whichever token.

        Args:
            id: Id of a token.
        """
        return self._call("POST", f"/v1/users/me/tokens/{_part(id)}/reveal", body={})

    def revoke_grant(self, id: str) -> None:
        """Revoke an agent, a device or a token.

        All its tokens end on every server at once. A second time changes nothing.

        Args:
            id: Id of a grant.
        """
        return self._call("DELETE", f"/v1/users/me/grants/{_part(id)}")

    def revoke_token(self, id: str) -> None:
        """Revoke an API token.

        A session revokes any token of its account, an API token only itself. A second
        time changes nothing.

        Args:
            id: Id of a token.
        """
        return self._call("DELETE", f"/v1/users/me/tokens/{_part(id)}")

    def run(self, run_id: str) -> RunAnswer:
        """A run."""
        return self._call("GET", f"/v1/runs/{_part(run_id)}")

    def run_artifact(
        self,
        run_id: str,
        fmt: Literal["csv", "geojson"],
    ) -> str | RunArtifactAnswer:
        """The answers of a run as CSV or GeoJSON.

        Made from the stored result. In CSV a text that a spreadsheet would run as a
        formula has an apostrophe before it. Where values come from is in the run
        itself.
        """
        return self._call("GET", f"/v1/runs/{_part(run_id)}/artifacts/{_part(fmt)}")

    def run_events(self, run_id: str) -> Iterator[Event]:
        """The events of a run.

        Server-sent events: `status` on every change, comments as heartbeats, `final`
        once with the run; an `error` frame `events_timeout` after 15 minutes. What
        stands now comes first, so `Last-Event-ID` is accepted and needs nothing.
        """
        return self._stream("GET", f"/v1/runs/{_part(run_id)}/events")

    def scorecard(
        self,
        *,
        field: str | None = None,
        county_fips: str | None = None,
    ) -> ScorecardAnswer:
        """By field and county: how many values were checked, right and wrong, and how
        far off.

        Values of a sample of parcels, held against a second computation from the rows
        of the release, when the release was made. What was not checked says why. Sends
        a strong `ETag`; revalidate with `If-None-Match` after an hour.

        Args:
            field: This field; without it all.
            county_fips: This county; without it the first 10, or 1000 of one field.
        """
        return self._call(
            "GET",
            "/v1/meta/scorecard",
            query={"field": field, "county_fips": county_fips},
        )

    def search(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        fields: Sequence[str] | None = None,
        enrich: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        release: str | None = None,
    ) -> SearchAnswer:
        """Parcels that pass every filter.

        The first parcels in stored order that pass every filter, with the values
        filters used and the fields asked for. POST /v1/search/count counts them. POST
        /v1/rank puts them in order, POST /v1/aggregate groups and adds them up: by
        `owner` with the sum of `acreage` it names the largest landowners. A 422 lists
        every issue with its path, what is wrong and how to correct it. `complete` means
        that the stored parcels were exhausted, not that the real world was.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            fields: Further outputs; they never affect what matches.
            enrich: Whether each match gains everything known of its parcel. Default
                false.
            limit: Default 10.
            cursor: `next_cursor` of the page before; valid one hour.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/search",
            body={
                "filters": filters,
                "fields": fields,
                "enrich": enrich,
                "limit": limit,
                "cursor": cursor,
                "release": release,
            },
        )

    def search_count(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        release: str | None = None,
        bound: int | None = None,
    ) -> SearchCountAnswer:
        """How many parcels pass every filter.

        Counted to a bound, with what each filter lets through alone and what all others
        do: which filter costs most. `filters` are those of POST /v1/search and some
        more, and so are the issues of a 422.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            bound: Up to which is counted. Default 100000.
        """
        return self._call(
            "POST",
            "/v1/search/count",
            body={"filters": filters, "release": release, "bound": bound},
        )

    def search_explain(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        release: str | None = None,
        parcel_id: str | None = None,
    ) -> dict[str, Any]:
        """Why a parcel passes filters or not, or why none does.

        With `parcel_id`: what each filter makes of the parcel, and by how much it
        passes or fails. Without: how many parcels pass, and where none does which one
        filter must give way, and how far, for ten matches. Free.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            parcel_id: Left out: why no parcel passes.
        """
        return self._call(
            "POST",
            "/v1/search/explain",
            body={"filters": filters, "release": release, "parcel_id": parcel_id},
        )

    def search_tiles(
        self,
        *,
        filters: Sequence[Mapping[str, Any]],
        release: str | None = None,
    ) -> SearchTilesAnswer:
        """A map of all parcels that pass every filter.

        The address of vector tiles that show every parcel that passes, at any zoom, for
        an hour and in the release that it was made in. Nobody can guess it, and it
        needs no token. An account has a hundred at once: a further one ends the oldest.
        Free.

        Args:
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/search/tiles",
            body={"filters": filters, "release": release},
        )

    def sign_out(self, *, everywhere: bool | None = None) -> None:
        """Sign out, here or everywhere.

        The session ends on every server at once, with the sign-in of the browser that
        sends its cookies along.

        Args:
            everywhere: Ends all sessions of the account and the grants of its agents
                too. API tokens and those of devices stay. Default false.
        """
        return self._call(
            "POST",
            "/v1/users/me/sign-out",
            body={"everywhere": everywhere},
        )

    def similar(
        self,
        *,
        parcel_id: str,
        fields: Sequence[str],
        filters: Sequence[Mapping[str, Any]],
        release: str | None = None,
        limit: int | None = None,
    ) -> SimilarAnswer:
        """The parcels most like one.

        Of the parcels that pass every filter those that differ least from a parcel, by
        fields of your choice: each difference is told in standard deviations among
        them. Free.

        Args:
            parcel_id: As enrichment, lookup and ranks answer it.
            fields: Names of the search catalog that hold numbers or dates.
            filters: All must hold. One selects states: `state` or `state2` with `eq` or
                `in`.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            limit: Default 20.
        """
        return self._call(
            "POST",
            "/v1/similar",
            body={
                "parcel_id": parcel_id,
                "fields": fields,
                "filters": filters,
                "release": release,
                "limit": limit,
            },
        )

    def site(self, site_id: str) -> SiteAnswer:
        """A registered site.

        Whether it is screened, its size and its box. Sites are read only by accounts
        that registered them.
        """
        return self._call("GET", f"/v1/sites/{_part(site_id)}")

    def site_dossier(self, site_id: str) -> SiteDossierAnswer:
        """Everything that was found about a site.

        What POST /v1/ask-site answers from. With `Accept: text/csv` a row for each
        field, with `application/geo+json` the polygon with all of it as properties. It
        costs no credits.
        """
        return self._call("GET", f"/v1/sites/{_part(site_id)}/dossier")

    def start_device_login(
        self,
        *,
        client_name: str | None = None,
    ) -> StartDeviceLoginAnswer:
        """Begin a login that a user approves in a browser.

        Show `user_code` and `verification_uri`, then poll. 20 logins a quarter of an
        hour from one address.

        Args:
            client_name: Who asks, as the approval page shall show it.
        """
        return self._call(
            "POST",
            "/v1/mcp/device/start",
            body={"client_name": client_name},
        )

    def structures(
        self,
        *,
        parcel_id: str | None = None,
        geometry: Any = None,
        lat: float | None = None,
        lng: float | None = None,
        address: str | None = None,
        release: str | None = None,
    ) -> StructuresAnswer:
        """What the flood map says about each building.

        The buildings on a parcel or a polygon: how much of each footprint lies in a
        flood hazard area, the lowest ground under it, and how high that is above the
        base flood, each with what the map cannot decide. Free.

        Args:
            parcel_id: As enrichment, lookup and ranks answer it.
            geometry: A GeoJSON Polygon or MultiPolygon in WGS84.
            lat: The parcel at a coordinate.
            lng: With `lat`.
            address: The parcel of an address.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
        """
        return self._call(
            "POST",
            "/v1/structures",
            body={
                "parcel_id": parcel_id,
                "geometry": geometry,
                "lat": lat,
                "lng": lng,
                "address": address,
                "release": release,
            },
        )

    def submit_export(
        self,
        *,
        format: Format,
        search: Mapping[str, Any] | None = None,
        upload_id: str | None = None,
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        release: str | None = None,
        idempotency_key: str | None = None,
    ) -> SubmitExportAnswer:
        """A table of many places, made in the background.

        Every parcel that passes filters, or every row of an upload, as GeoParquet,
        FlatGeobuf, Arrow, GeoJSONSeq or CSV. It is judged and its credits are reserved
        before it is accepted; charged by row when it is done. Kept for 30 days.

        Args:
            search: Every parcel that passes, without pages. Or `upload_id`.
            upload_id: Every row of POST /v1/uploads.
            fields: Catalog names, see GET /v1/meta/fields. At most 50 different ones
                after preset expansion.
            preset: A named list of fields; expanded before `fields` are added.
            release: The release to answer from: an id as `X-Service-Release` names it,
                or a day as `2026-11-20` for the one that was published last by its end
                in UTC. The current one without it.
            idempotency_key: What is sent again with the same key is carried out once. A
                new one by default.
        """
        return self._call(
            "POST",
            "/v1/exports",
            body={
                "format": format,
                "search": search,
                "upload_id": upload_id,
                "fields": fields,
                "preset": preset,
                "release": release,
            },
            key=_key(idempotency_key),
        )

    def submit_run(
        self,
        *,
        kind: Literal["fetch_batch"],
        request: Mapping[str, Any],
        idempotency_key: str | None = None,
    ) -> SubmitRunAnswer:
        """A batch that is answered in the background.

        Judged as POST /v1/fetch/batch is, with its credits reserved, before it is
        accepted; charged by location when it is done. Kept for 30 days.

        Args:
            request: `fields` and `preset` apply to every location; at least one of them
                is needed.
            idempotency_key: What is sent again with the same key is carried out once. A
                new one by default.
        """
        return self._call(
            "POST",
            "/v1/runs",
            body={"kind": kind, "request": request},
            key=_key(idempotency_key),
        )

    def suggest(
        self,
        *,
        q: str,
        lat: float | None = None,
        lng: float | None = None,
        kinds: str | None = None,
        limit: str | None = None,
    ) -> SuggestAnswer:
        """What a text that is being typed may mean.

        Addresses, parcel numbers, owners, streets and places of the release that begin
        with the text; where these are too few, also those that do so but for one typing
        error. What fits better comes first, then what is nearer. A coordinate in either
        order is a place. What the release does not hold is not suggested. Costs no
        credits; 600 a minute beside the limit of the plan.

        Args:
            q: What was typed so far. It is written to no log.
            lat: With `lng`: what is near comes first, WGS84 degrees.
            kinds: What is looked for, with commas between: address, parcel, owner,
                street, place. All by default.
            limit: 1 to 10; 5 by default.
        """
        return self._call(
            "GET",
            "/v1/suggest",
            query={"q": q, "lat": lat, "lng": lng, "kinds": kinds, "limit": limit},
        )

    def tell_onboarding_progress(
        self,
        attempt_id: str,
        *,
        stage: Literal["installed", "verified"],
        clients: Sequence[str] | None = None,
        skill_installed: bool | None = None,
    ) -> OnboardingAttemptAnswer:
        """Say how far the agent has come.

        With the API token that the attempt's code was exchanged for. The same again
        changes nothing. That a first call worked cannot be said: the service notes it
        when it happens, on a POST /v1/fetch with `X-Service-Onboarding-Attempt`.

        Args:
            clients: Clients that the server was added to; those told before stay.
        """
        return self._call(
            "POST",
            f"/v1/onboarding/{_part(attempt_id)}/progress",
            body={
                "stage": stage,
                "clients": clients,
                "skill_installed": skill_installed,
            },
        )

    def upload(self, body: bytes, content_type: ContentType) -> UploadAnswer:
        """A list of places, kept for a day.

        CSV, NDJSON, GeoJSON or Parquet, at most 100000 rows and 64 MB. Each row has a
        `custom_id` of yours, if you like, and `lat` and `lng`, or `address`, or a
        polygon in `geometry` (GeoJSON, WKT, in Parquet WKB), all in WGS84. The numbers
        of further columns are kept for POST /v1/accumulation. Free.
        """
        return self._call(
            "POST",
            "/v1/uploads",
            body=body,
            headers={"content-type": content_type},
        )

    def usage(self) -> UsageAnswer:
        """Credits used this month."""
        return self._call("GET", "/v1/users/me/usage")

    def watch(self, watch_id: str) -> WatchAnswer:
        """A watch.

        What it is about, what was told last, and whether that reached the callback.
        Free.
        """
        return self._call("GET", f"/v1/watches/{_part(watch_id)}")

    def withdraw_field_request(self, request_id: str) -> FieldRequestAnswer:
        """Withdraw a field request.

        Ends a request that has not ended: it is `blocked` then, with code `other`. It
        can still be read, and no callback tells of it. Sent again, it answers the same.
        It costs no credits.
        """
        return self._call("DELETE", f"/v1/field-requests/{_part(request_id)}")


def _column_type(values: Iterable[Any]) -> str:
    """The type of a column of a DataFrame.

    Those of numpy are what others draw and compute with; whole numbers and truth
    values have none for absence, so that they get pandas' own where some are absent.
    """
    kinds = {type(value) for value in values}
    absent = type(None) in kinds
    kinds.discard(type(None))
    if kinds == {bool}:
        return "boolean" if absent else "bool"
    if kinds == {int}:
        return "Int64" if absent else "int64"
    return "float64" if kinds and kinds <= {int, float} else "object"


@dataclass
class Table:
    """An answer as rows and columns, which reads like a list of dictionaries.

    Attributes:
        rows: A dictionary for each row. None stands for no value; the column `status`
            says why.
        geometries: Of each row, as GeoJSON in longitude and latitude (WGS84), or None.
        fields: Unit and sources of each field.
        answers: What each answer said of all its rows, such as `warnings`.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    geometries: list[dict[str, Any] | None] = field(default_factory=list)
    fields: dict[str, Any] = field(default_factory=dict)
    answers: list[dict[str, Any]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.rows[index]

    @property
    def columns(self) -> list[str]:
        """The names of all columns, `status` last."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return sorted(names, key=lambda name: name == "status")

    def _values(self, column: str) -> list[Any]:
        return [row.get(column) for row in self.rows]

    def to_dataframe(self) -> pandas.DataFrame:
        """The rows as a DataFrame of pandas; `isna()` finds absent values.

        Raises:
            ImportError: pandas is not installed.
        """
        pandas = _package("pandas")

        return pandas.DataFrame(
            {
                name: pandas.Series(values, dtype=_column_type(values))
                for name in self.columns
                for values in [self._values(name)]
            }
        )

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """The rows with their geometry as a GeoDataFrame of geopandas (EPSG:4326).

        Raises:
            ImportError: geopandas is not installed.
        """
        geopandas = _package("geopandas")
        shape = _package("shapely.geometry").shape

        shapes = [None if one is None else shape(one) for one in self.geometries]
        return geopandas.GeoDataFrame(
            self.to_dataframe(), geometry=shapes, crs="EPSG:4326"
        )

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow, lists and objects as JSON.

        Raises:
            ImportError: pyarrow is not installed.
        """
        pyarrow = _package("pyarrow")

        def plain(value: Any) -> Any:
            return json.dumps(value) if isinstance(value, (dict, list)) else value

        return pyarrow.table(
            {name: [plain(v) for v in self._values(name)] for name in self.columns}
        )

    def _add(self, features: Mapping[str, Any]) -> None:
        """Adds the features of an answer in GeoJSON."""
        for feature in features["features"]:
            self.rows.append(feature["properties"])
            self.geometries.append(feature["geometry"])
        about = features["plat"]
        self.fields.update(about["fields"])
        self.answers.append(about["answer"])


def _package(name: str) -> Any:
    """A package that this file can do without."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.split(".")[0]
        raise ImportError(
            f"{package} is not installed and this needs it: pip install {package}"
        ) from error


def _records(places: Any) -> list[dict[str, Any]]:
    """Places as dictionaries, also those of a DataFrame."""
    if hasattr(places, "to_dict"):
        places = places.to_dict("records")
    return [dict(place) for place in places]


def _location(place: Mapping[str, Any]) -> dict[str, Any]:
    """What of a place says where it is."""
    return {name: place[name] for name in ("lat", "lng", "address") if name in place}


class Tables:
    """Questions whose answers are tables, over as many pages as there are."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def _ask(self, path: str, body: Mapping[str, Any], key: str | None = None) -> Any:
        headers = {"accept": "application/geo+json"}
        return self._client._call("POST", path, body=body, key=key, headers=headers)

    def fetch(
        self,
        locations: Any,
        *,
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        release: str | None = None,
    ) -> Table:
        """Named fields at places, a row for each.

        Asks for 25 places at a time. A place that fails has its code in the column
        `error`; `tables.export` suits thousands of places better.

        Args:
            locations: Dictionaries with `lat` and `lng` or with `address`, or a
                DataFrame with such columns.
            fields: Names of the catalog (`client.field_catalog()`).
            preset: A named list of fields.
            release: The release to answer from; the current one without it.
        """
        table = Table()
        places = _records(locations)
        for start in range(0, len(places), _BATCH):
            terms = {
                "locations": [_location(p) for p in places[start : start + _BATCH]],
                "fields": fields,
                "preset": preset,
                "release": release,
            }
            table._add(self._ask("/v1/fetch/batch", terms, key=_key(None)))
            for row in table.rows[start:]:
                row["index"] += start
        return table

    def search(
        self,
        filters: Sequence[Mapping[str, Any]],
        *,
        fields: Sequence[str] | None = None,
        limit: int | None = None,
        release: str | None = None,
    ) -> Table:
        """Parcels that pass every filter, in stored order, over all pages.

        The geometry is the analysis point, or the boundary if `fields` names
        "geometry".

        Args:
            filters: As of `Client.search`.
            fields: Further columns.
            limit: How many rows at most; all of them without it.
            release: The release to answer from; the current one without it.
        """
        table = Table()

        def page_of(**terms: Any) -> Any:
            room = _PAGE if limit is None else min(_PAGE, limit - len(table))
            before = len(table)
            table._add(self._ask("/v1/search", {**terms, "limit": room}))
            return {**table.answers[-1], "matches": table.rows[before:]}

        terms = {"filters": list(filters), "fields": fields, "release": release}
        for _ in self._client._pages(page_of, **terms):
            if limit is not None and len(table) >= limit:
                break
        return table

    def rank(
        self,
        filters: Sequence[Mapping[str, Any]],
        *,
        order_by: Sequence[Mapping[str, Any]] | None = None,
        score: Sequence[Mapping[str, Any]] | None = None,
        fields: Sequence[str] | None = None,
        limit: int | None = None,
        release: str | None = None,
    ) -> Table:
        """The first parcels of those that pass every filter. See `Client.rank`."""
        table = Table()
        terms = {
            "filters": list(filters),
            "order_by": order_by,
            "score": score,
            "fields": fields,
            "limit": limit,
            "release": release,
        }
        table._add(self._ask("/v1/rank", terms))
        return table

    def aggregate(
        self,
        filters: Sequence[Mapping[str, Any]],
        *,
        measures: Sequence[Mapping[str, Any]],
        group_by: Sequence[str | Mapping[str, Any]] | None = None,
        min_count: int | None = None,
        stacked: bool | None = None,
        geometry: bool | None = None,
        release: str | None = None,
    ) -> Table:
        """Parcels that pass every filter, in groups. See `Client.aggregate`."""
        table = Table()
        terms = {
            "filters": list(filters),
            "measures": list(measures),
            "group_by": group_by,
            "min_count": min_count,
            "stacked": stacked,
            "geometry": geometry,
            "release": release,
        }
        table._add(self._ask("/v1/aggregate", terms))
        return table

    def export(
        self,
        filters: Sequence[Mapping[str, Any]] | None = None,
        *,
        places: Any = None,
        fields: Sequence[str] | None = None,
        preset: FetchPreset | None = None,
        release: str | None = None,
        idempotency_key: str | None = None,
        patience: float = 3600.0,
    ) -> Table:
        """Fields of many parcels or places, made in the background and waited for.

        The geometry is the boundary of the parcel, or the place. For a file instead of
        a table use `Client.submit_export` and `Client.download_export`.

        Args:
            filters: Every parcel that passes, as of `Client.search_count`.
            places: Instead: up to 100,000 dictionaries with `lat` and `lng` or with
                `address`, and `custom_id` if you like; or a DataFrame.
            fields: Names of the catalog.
            preset: A named list of fields.
            release: The release to answer from; the current one without it.
            idempotency_key: Yours, so that the same call in another process goes on
                with the same export.
            patience: Seconds to wait for the export.
        """
        upload_id = None
        if places is not None:
            body = "\n".join(json.dumps(place) for place in _records(places)).encode()
            upload = self._client.upload(body, "application/x-ndjson")
            upload_id = upload["upload_id"]
        submitted = self._client.submit_export(
            search=None if filters is None else {"filters": list(filters)},
            upload_id=upload_id,
            fields=fields,
            preset=preset,
            release=release,
            format="geojsonseq",
            idempotency_key=idempotency_key,
        )
        export = self._client.wait_for_export(submitted["export_id"], patience)
        path = f"/v1/exports/{_part(export['export_id'])}/files/"
        features: bytes = self._client._call("GET", path + "export.geojsons")
        about = self._client._call("GET", path + "citations.json")
        table = Table(fields=about["fields"], answers=[about])
        for line in features.split(b"\x1e")[1:]:
            feature = json.loads(line)
            table.rows.append(feature["properties"])
            table.geometries.append(feature["geometry"])
        return table


class Client(Operations):
    """A client of the service: a method for each operation, and `tables`.

    A request that is refused for a while is sent again after what `Retry-After` asks
    for at least. A request whose connection broke is sent again only where a second
    one changes and costs nothing: reads, and operations with an idempotency key.
    """

    @property
    def tables(self) -> Tables:
        """The same questions with tables as answers."""
        return Tables(self)

    def _pages(self, page_of: Callable[..., Any], **terms: Any) -> Iterator[Any]:
        """Pages, each asked for when the one before was taken."""
        attempt = 0
        while True:
            page = page_of(**terms)
            yield page
            cursor = page["next_cursor"]
            if cursor is None:
                return
            lost = page.get("completion_reason") == "source_unavailable"
            attempt = attempt + 1 if lost and not page["matches"] else 0
            if attempt:
                self._wait(Unavailable(_LOST, retryable=True), attempt)
            terms["cursor"] = cursor

    def all_runs(self) -> Iterator[dict[str, Any]]:
        """How the account's runs stand, newest first, over all pages."""
        for page in self._pages(self.list_runs):
            yield from page["runs"]

    def all_exports(self) -> Iterator[dict[str, Any]]:
        """How the account's exports stand, newest first, over all pages."""
        for page in self._pages(self.list_exports):
            yield from page["exports"]

    def all_field_requests(self) -> Iterator[dict[str, Any]]:
        """The account's field requests, newest first, over all pages."""
        for page in self._pages(self.list_field_requests):
            yield from page["field_requests"]

    def all_matches(
        self, filters: Sequence[Mapping[str, Any]], **terms: Any
    ) -> Iterator[dict[str, Any]]:
        """The matches of a search over all pages, as JSON has them."""
        for page in self._pages(self.search, filters=filters, **terms):
            yield from page["matches"]

    def all_owner_parcels(self, owner_id: str) -> Iterator[dict[str, Any]]:
        """The parcels of one owner, over all pages."""
        for page in self._pages(self.owner_parcels, owner_id=owner_id):
            yield from page["matches"]

    def all_changes(self, since: str, **terms: Any) -> Iterator[ChangesAnswer]:
        """What changed since a release, page after page."""
        yield from self._pages(self.changes, since=since, **terms)

    def _wait_for(
        self, read: Callable[[], Any], what: str, patience: float
    ) -> dict[str, Any]:
        """Reads a job until it has ended."""
        until, pause = time.monotonic() + patience, 0.25
        while True:
            job: Dict[str, Any] = read()
            if job["status"] == "done":
                return job
            if job["status"] == "failed":
                raise _error_of(job["error"], None)
            if time.monotonic() + pause > until:
                raise TimeoutError(f"{what} is {job['status']} after {patience} s")
            time.sleep(pause)
            pause = min(5.0, pause * 1.5)

    def wait_for_export(
        self, export_id: str, patience: float = 3600.0
    ) -> dict[str, Any]:
        """An export, once it is done.

        Raises:
            PlatError: It failed.
            TimeoutError: It is not done after `patience` seconds.
        """
        return self._wait_for(lambda: self.export(export_id), "The export", patience)

    def wait_for_run(self, run_id: str, patience: float = 3600.0) -> dict[str, Any]:
        """A run, once it is done. Raises as `wait_for_export` does."""
        return self._wait_for(lambda: self.run(run_id), "The run", patience)

    def download_export(
        self, export_id: str, path: str | os.PathLike[str], name: str | None = None
    ) -> None:
        """Writes a file of an export that is done, and checks it.

        A download that breaks goes on where it was, also when it is called again.

        Args:
            path: The file to write; `path` with ".part" while it is incomplete.
            name: The file of the export; its table without it.
        """
        files = self.export(export_id)["files"]
        chosen = [
            one
            for one in files
            if (one["name"] == name if name else one["name"].startswith("export."))
        ]
        if not chosen:
            raise ValueError(f"The export has no file {name or 'yet'}: {files}")
        [wanted] = chosen
        part = os.fspath(path) + ".part"
        with open(part, "ab") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() > wanted["bytes"]:
                file.truncate(0)
            folder = f"/v1/exports/{_part(export_id)}/files/"
            self._append(folder + wanted["name"], wanted, file)
        with open(part, "rb") as file:
            digest = hashlib.sha256()
            for chunk in iter(lambda: file.read(_CHUNK), b""):
                digest.update(chunk)
        if digest.hexdigest() != wanted["sha256"]:
            os.remove(part)
            raise PlatError(f"The file that came is not {wanted['name']}; call again")
        os.replace(part, path)

    def _append(self, path: str, wanted: Mapping[str, Any], file: IO[bytes]) -> None:
        """Appends to a file what it lacks of one of the service."""

        def write(answer: http.client.HTTPResponse) -> None:
            if answer.status != 206:
                file.truncate(0)
            for chunk in iter(lambda: answer.read(_CHUNK), b""):
                file.write(chunk)

        attempt = 0
        while file.tell() < wanted["bytes"]:
            before, attempt = file.tell(), attempt + 1
            tag = f'"{wanted["sha256"]}"'
            headers = {"range": f"bytes={before}-", "if-range": tag}
            request, _ = self._request("GET", path, headers=headers)
            failure = ConnectionFailed(f"{path} ended before its end", retryable=True)
            try:
                # Another attempt asks for another range.
                self._open(request, False, write)
            except ConnectionFailed as broken:
                failure = broken
            if file.tell() > before:
                attempt = 0
            elif file.tell() < wanted["bytes"]:
                self._wait(failure, attempt)
