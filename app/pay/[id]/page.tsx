import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { plainAmount } from "@/components/money/format-amount";
import { PayerView } from "@/components/payer/payer-view";
import { payerPage } from "@/server/http/payer/page";

interface PayPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export const dynamic = "force-dynamic";

export async function generateMetadata({ params }: PayPageProps): Promise<Metadata> {
  const page = await payerPage((await params).id);
  const title = page
    ? `${plainAmount(page.amount, page.currency)} ${page.currency} to ${page.merchantName}`
    : "Payment";
  return { title: { absolute: title }, robots: { index: false, follow: false }, referrer: "no-referrer" };
}

export default async function PayPage({ params }: PayPageProps) {
  const page = await payerPage((await params).id);
  if (!page) notFound();
  return <PayerView page={page} />;
}
