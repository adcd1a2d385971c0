// Whether the payer's page has something new to show.
import { payerStateAnswer } from "@/server/http/payer/answers";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export const dynamic = "force-dynamic";

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return payerStateAnswer(request, (await params).id);
}
