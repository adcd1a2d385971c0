// Exports a list as a file: the rows that match the filters, page by page, without a limit on their number.

import { AsyncResource } from "node:async_hooks";
import { stringify } from "csv-stringify/sync";
import { readerLanguage } from "@/server/auth/reader-language";
import { sessionOfRequest } from "@/server/auth/request-session";
import { errorBody } from "@/server/contract/errors";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { ERROR_STATUS, Forbidden, notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import { requireAllowed } from "@/server/domain/permissions";
import { type CallContext, ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import { translate } from "@/server/domain/texts/translate";
import { forwardedAddress } from "@/server/http/client-address";
import { takeTokens } from "@/server/http/rate-limit";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { asReport } from "@/server/platform/report-scope";
import { recordDenial } from "@/server/services/audit/denials";
import { type ExportEnd, recordExport, recordExportEnd } from "@/server/services/audit/exports";
import { whereMerchantOpens } from "@/server/services/cells/moved";
import { asServiceError } from "@/server/services/outage";
import { readReport } from "@/server/services/reports";
import { createSessionPlaces } from "@/server/services/sign-in/session-places";
import { withinSession } from "@/server/services/sign-in/session-scope";
import { findMemberSession, type MemberSession } from "@/server/services/sign-in/sessions";
import type { ExportPage, PageReader } from "./page-reader";
import { inReadersColumns } from "./readers-columns";
import { ALSO_REQUIRED, type ExportKind, fileTypeOf, SOURCES } from "./sources";

/** Names the file, by a replica's last minute if one was read, and forbids caching. */
function headersOf(kind: ExportKind, environment: string, asOf: Date | null): Record<string, string> {
  const day = now().toISOString().slice(0, 10);
  const when = asOf ? `as-of-${asOf.toISOString().slice(0, 16).replace(":", "")}Z` : day;
  const { contentType, extension } = fileTypeOf(kind);
  return {
    "content-type": contentType,
    "content-disposition": `attachment; filename="sluice-${environment}-${kind}-${when}.${extension}"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

/** Of the tokens of the session's calls: a few exports a second. */
const EXPORT_COSTS = 25;

/** A file may have millions of rows: few are read at once. */
const places = createSessionPlaces({
  perSession: 2,
  perCell: 20,
  refusal: "Too many exports are running; wait until one has ended.",
});

/**
 * Answers /api/export/:environment/:kind for members who may export. `queue=mine` selects what awaits the member. The
 * export ends early if its session ends or its member may no longer export.
 */
export async function exportAnswer(request: Request, environmentName: string, kind: string): Promise<Response> {
  let session: MemberSession | null = null;
  try {
    const environment = ENVIRONMENTS.find((name) => name === environmentName);
    if (!environment || !Object.hasOwn(SOURCES, kind)) throw notFoundError();
    const caller = await sessionOfRequest(request.headers);
    if (!caller) throw signedOut();
    session = caller;
    const context = contextOf(caller, environment, request);
    const url = new URL(request.url);
    // What the database cannot store would fail in the audit entry.
    if (url.search.includes("%00")) throw validationError("query", "must not contain NUL");
    return await withinSession(caller, () =>
      beginExport(url, kind as ExportKind, caller, { context, headers: request.headers }),
    );
  } catch (error) {
    return refusal(error, await readerLanguage(session, request.headers));
  }
}

interface Caller {
  readonly context: CallContext;
  readonly headers: Headers;
}

async function beginExport(url: URL, kind: ExportKind, session: MemberSession, { context, headers }: Caller) {
  const { scope } = context;
  await requireExport(session, kind, context);
  takeTokens(`session:${session.sessionId}`, EXPORT_COSTS);
  places.requireFree(session.sessionId);
  const giveBack = places.take(session.sessionId);
  try {
    const language = await readerLanguage(session, headers);
    const read = SOURCES[kind](scope, url, { memberId: session.member.id, language });
    // Read the first page before the answer begins, so that an error can still be sent.
    const { asOf, result: first } = await readReport(() => read(null));
    await recordExport(context, kind, Object.fromEntries(url.searchParams));
    const readOn: PageReader = async (after) => {
      await requireStillAllowed(session, kind, context);
      return asReport(() => read(after));
    };
    const onEnd = (end: ExportEnd) => {
      giveBack();
      // A move may have cut it off.
      return whereMerchantOpens(scope.merchantId, () => recordExportEnd(context, kind, end));
    };
    // Next reads the stream outside of this call.
    const lines = stream(first, AsyncResource.bind(readOn), { onEnd: AsyncResource.bind(onEnd), language });
    return new Response(lines, { headers: headersOf(kind, scope.environment, asOf) });
  } catch (error) {
    giveBack();
    throw error;
  }
}

function signedOut(): ServiceError {
  return new ServiceError("unauthorized", "You are signed out. Sign in again to export.");
}

/** Throws unauthorized once the session has ended, and Forbidden once its member may no longer export. */
async function requireStillAllowed(session: MemberSession, kind: ExportKind, context: CallContext): Promise<void> {
  const current = await findMemberSession(session, { isBackground: true });
  if (!current) throw signedOut();
  await requireExport(current, kind, context);
}

function contextOf({ merchantId, member }: MemberSession, environment: Environment, request: Request): CallContext {
  return {
    scope: { merchantId, environment },
    actor: { type: "member", id: member.id },
    requestId: newId("request"),
    address: forwardedAddress(request.headers) || null,
  };
}

async function requireExport(session: MemberSession, kind: ExportKind, context: CallContext): Promise<void> {
  try {
    const member = { ...session.member, disabledAt: null };
    const { environment } = context.scope;
    for (const act of ["export_intents", ALSO_REQUIRED[kind] ?? "export_intents"] as const)
      requireAllowed(member, act, environment);
  } catch (error) {
    if (error instanceof Forbidden) await recordDenial(session, `export.${kind}`, context);
    throw error;
  }
}

/** The page as it is sent; a CSV file begins with the names of its columns. */
function encode(
  { lines: read }: ExportPage,
  isFirst: boolean,
  language: DashboardLanguage,
): { readonly bytes: Uint8Array; readonly count: number } {
  if ("content" in read) {
    const { content, count } = read;
    return { bytes: typeof content === "string" ? new TextEncoder().encode(content) : content, count };
  }
  const lines = inReadersColumns(language, read);
  const records = isFirst ? [lines.columns, ...lines.rows] : lines.rows;
  const text = stringify(
    records.map((record) => [...record]),
    { record_delimiter: "\r\n" },
  );
  return { bytes: new TextEncoder().encode(text), count: lines.rows.length };
}

/** The file as it is read. Calls `onEnd` once, when the last page was read, the reader left, or reading failed. */
function stream(
  first: ExportPage,
  read: PageReader,
  { onEnd, language }: { readonly onEnd: (end: ExportEnd) => Promise<void>; readonly language: DashboardLanguage },
): ReadableStream<Uint8Array> {
  let page: ExportPage | null = first;
  let isBegun = false;
  let rows = 0;
  return new ReadableStream({
    async pull(controller) {
      if (!page) {
        await onEnd({ rows, isComplete: true });
        return controller.close();
      }
      const { bytes, count } = encode(page, !isBegun, language);
      isBegun = true;
      controller.enqueue(bytes);
      rows += count;
      const { next } = page;
      try {
        page = next && (await read(next));
      } catch (error) {
        await onEnd({ rows, isComplete: false });
        throw error;
      }
    },
    cancel: () => onEnd({ rows, isComplete: false }),
  });
}

function refusal(error: unknown, language: DashboardLanguage): Response {
  const headers = { "cache-control": "no-store", "request-id": newId("request") };
  if (error instanceof Forbidden)
    return new Response(`${translate(language, error.message)}\n`, { status: 403, headers });
  const known = asServiceError(error);
  if (!known) log().error({ err: error }, "a dashboard export failed");
  const { code, message } = known ?? new ServiceError("internal_error", "Something went wrong on our side.");
  return Response.json(errorBody(code, translate(language, message)), { status: ERROR_STATUS[code], headers });
}
