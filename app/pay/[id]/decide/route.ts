// The payer's decision in a test payment.
import { payerDecisionAnswer } from "@/server/http/payer/answers";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return payerDecisionAnswer(request, (await params).id);
}
