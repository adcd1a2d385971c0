// Whether the payer's page must be refreshed.
import { payerStateAnswer } from "@/server/http/payer/answers";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export const dynamic = "force-dynamic";

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return payerStateAnswer(request, (await params).id);
}
