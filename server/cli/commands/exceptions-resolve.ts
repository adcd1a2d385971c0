// Owns the command that resolves an exception.
import { resolveExceptionAs } from "@/server/services/exceptions/as-member";
import { defineCommand, optional, required } from "../command";
import { presentException } from "../present-exception";

export const exceptionsResolve = defineCommand({
  name: "exceptions resolve",
  summary:
    "Resolve an exception for good, with an audit entry; it moves no money, so what is in suspense is settled instead",
  options: {
    id: required("ID", "the exception"),
    as: optional("ADDRESS", "the member who answers for it; left out where the exception is no merchant's"),
    resolution: required("TEXT", "what was found and done, at most 512 characters"),
  },
  run: async ({ id, as, resolution }) =>
    presentException(await resolveExceptionAs({ exceptionId: id, email: as }, resolution)),
});
