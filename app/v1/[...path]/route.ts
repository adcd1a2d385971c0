// The REST API under Next: every path and method goes to the one route table.
import { handleNextRequest } from "@/server/http/next-host";

export const dynamic = "force-dynamic";

export {
  handleNextRequest as DELETE,
  handleNextRequest as GET,
  handleNextRequest as HEAD,
  handleNextRequest as OPTIONS,
  handleNextRequest as PATCH,
  handleNextRequest as POST,
  handleNextRequest as PUT,
};
