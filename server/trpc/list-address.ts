// Owns reading the query of a list's address: what it may say, refused in words where it says something else.
import type { z } from "zod";
import { listAddresses } from "@/server/contract/list-addresses";
import { parseQuery } from "@/server/http/query";
import { validate } from "@/server/http/validate";

export type ListName = keyof typeof listAddresses;

/** What the address of any list may say; `queue` is of payouts only. */
export type ListAddress = z.output<(typeof listAddresses)[ListName]> & { readonly queue?: "mine" | undefined };

/** The parameters of a list's address; those it does not know are left out. Throws validation_failed for a wrong value. */
export function readListAddress(list: ListName, url: URL): ListAddress {
  const schema = listAddresses[list];
  return validate(schema, parseQuery(url, new Set(Object.keys(schema.shape))).values, "query");
}
