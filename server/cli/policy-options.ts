// Owns the options that the commands about approval policies share, and the reading of a version's number.
import { validationError } from "@/server/domain/errors";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { oneOf, required } from "./command";

export const POLICY_SCOPE = {
  merchant: required("ID", "the merchant"),
  environment: oneOf(ENVIRONMENTS, "each environment has a policy of its own"),
};

/** A version's number as typed. Throws validation_failed. */
export function readVersion(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw validationError("version", "must be the number of a proposed version");
  return Number(text);
}
