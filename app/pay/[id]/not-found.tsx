import { headers } from "next/headers";
import { payerTexts } from "@/components/i18n/texts";
import { readerOf } from "@/server/http/payer/reader";

export default async function PaymentNotFound() {
  const texts = payerTexts(readerOf(await headers()).language);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-3 px-5">
      <h1 className="text-xl">{texts("notFound.title")}</h1>
      <p className="text-ink-soft">{texts("notFound.text")}</p>
    </main>
  );
}
