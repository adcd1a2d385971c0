import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { payerTexts } from "@/components/i18n/texts";
import { localAmount } from "@/components/money/local-amount";
import { PayerView } from "@/components/payer/payer-view";
import { payerPage } from "@/server/http/payer/page";
import { readerOf } from "@/server/http/payer/reader";

interface PayPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export const dynamic = "force-dynamic";

export async function generateMetadata({ params }: PayPageProps): Promise<Metadata> {
  const page = await payerPage((await params).id);
  const { language, locale } = readerOf(await headers());
  const texts = payerTexts(language);
  const title = page
    ? texts("title", { amount: localAmount(page.amount, page.currency, locale), merchant: page.merchantName })
    : texts("section");
  return { title: { absolute: title }, robots: { index: false, follow: false }, referrer: "no-referrer" };
}

export default async function PayPage({ params }: PayPageProps) {
  const page = await payerPage((await params).id);
  if (!page) notFound();
  return <PayerView page={page} reader={readerOf(await headers())} />;
}
