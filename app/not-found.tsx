import { ButtonLink } from "@/components/ui/button";
import { Wordmark } from "@/components/ui/mark";
import { pageTexts } from "./page-texts";

export default async function NotFound() {
  const texts = await pageTexts();
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-5">
      <Wordmark />
      <h1 className="text-xl">{texts("pages.notFound")}</h1>
      <p className="text-ink-soft">{texts("pages.notFoundWhy")}</p>
      <ButtonLink href="/">{texts("pages.goHome")}</ButtonLink>
    </main>
  );
}
