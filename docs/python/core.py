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

#:: version

#:: codes

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


#:: operations


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
