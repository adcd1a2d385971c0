// Parses the query of a list's address; a wrong value is rejected with a message.
import type { z } from "zod";
import { listAddresses } from "@/server/contract/list-addresses";
import { parseQuery } from "@/server/http/query";
import { validate } from "@/server/http/validate";

export type ListName = keyof typeof listAddresses;

/** The parameters of any list's address; `queue` is for payouts only. */
export type ListAddress = z.output<(typeof listAddresses)[ListName]> & { readonly queue?: "mine" | undefined };

/** Returns the parameters of a list's address, without unknown ones. Throws validation_failed for a wrong value. */
export function readListAddress(list: ListName, url: URL): ListAddress {
  const schema = listAddresses[list];
  return validate(schema, parseQuery(url, new Set(Object.keys(schema.shape))).values, "query");
}
