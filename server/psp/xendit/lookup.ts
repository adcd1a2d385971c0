// Finds the objects of an intent at Xendit: by the recorded id, or by our reference.
import type { z } from "zod";
import type { NeverAccepted, Unknown } from "@/server/domain/outcome";
import { forOperator, unknownReference } from "../account-guard";
import type { EarlierCalls } from "../gateway";
import { describe, isNotFound } from "./client";
import type { XenditContext } from "./context";
import { page } from "./objects";
import type { CALLS } from "./tables";

/** More objects under one reference than ever exist. */
const LIMIT = 10;

const MALFORMED: Unknown = { kind: "unknown", detail: "an object that is malformed" };

/** A kind of object. */
interface Kind<Found> {
  readonly read: typeof CALLS.readPayment | typeof CALLS.readPayout;
  readonly list: typeof CALLS.listPayments | typeof CALLS.listPayouts;
  readonly schema: z.ZodType<Found>;
}

interface Named {
  readonly reference: string;
  readonly earlier?: EarlierCalls | undefined;
}

/** Returns the objects, oldest first; or what is known without one. */
export async function findObjects<Found extends { readonly created: string }>(
  context: XenditContext,
  kind: Kind<Found>,
  { reference, earlier }: Named,
  signal: AbortSignal,
): Promise<readonly Found[] | NeverAccepted | Unknown> {
  const id = earlier?.providerReference ?? null;
  return id === null ? list(context, kind, reference, signal) : read(context, kind, id, signal);
}

async function read<Found>(
  { client, guard }: XenditContext,
  { read: { method, path }, schema }: Kind<Found>,
  id: string,
  signal: AbortSignal,
): Promise<readonly Found[] | Unknown> {
  const answer = await client({ method, path: path.replace("{id}", encodeURIComponent(id)) }, signal);
  if (isNotFound(answer)) {
    const unknown = await unknownReference(guard, signal);
    if (unknown.kind !== "never_accepted") return unknown;
    return forOperator("Xendit no longer has the object that it created.");
  }
  if (answer.kind !== "data") return { kind: "unknown", detail: describe(answer) };
  const parsed = schema.safeParse(answer.data);
  return parsed.success ? [parsed.data] : MALFORMED;
}

/** An incomplete list proves nothing. One that ignored the reference names objects that the caller does not believe. */
async function list<Found extends { readonly created: string }>(
  { client, guard }: XenditContext,
  { list: { method, path }, schema }: Kind<Found>,
  reference: string,
  signal: AbortSignal,
): Promise<readonly Found[] | NeverAccepted | Unknown> {
  const query = `?reference_id=${encodeURIComponent(reference)}&limit=${LIMIT}`;
  const answer = await client({ method, path: `${path}${query}` }, signal);
  const parsed = answer.kind === "data" ? page.safeParse(answer.data) : null;
  if (!parsed?.success) return { kind: "unknown", detail: describe(answer) };
  const { data, has_more } = parsed.data;
  if (has_more === true) return { kind: "unknown", detail: "a list that is not complete" };
  if (data.length === 0) return unknownReference(guard, signal);
  const found: Found[] = [];
  for (const item of data) {
    const object = schema.safeParse(item);
    if (!object.success) return MALFORMED;
    found.push(object.data);
  }
  return found.toSorted((one, other) => Date.parse(one.created) - Date.parse(other.created));
}
