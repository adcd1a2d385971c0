// Lists as CSV files.
import { exportAnswer } from "@/server/trpc/export/answer";

export const dynamic = "force-dynamic";

interface Context {
  readonly params: Promise<{ readonly environment: string; readonly kind: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { environment, kind } = await params;
  return exportAnswer(request, environment, kind);
}
