// Owns the command by which a member takes an exception on.
import { takeExceptionAs } from "@/server/services/exceptions/as-member";
import { defineCommand, required } from "../command";
import { presentException } from "../present-exception";

export const exceptionsTake = defineCommand({
  name: "exceptions take",
  summary: "Make a member the owner of an exception of their merchant, with an audit entry",
  options: {
    id: required("ID", "the exception"),
    as: required("ADDRESS", "the member"),
  },
  run: async ({ id, as }) => presentException(await takeExceptionAs({ exceptionId: id, email: as })),
});
