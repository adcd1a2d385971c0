import { ButtonLink } from "@/components/ui/button";
import { Wordmark } from "@/components/ui/mark";

export default function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-5">
      <Wordmark />
      <h1 className="text-xl">Page not found</h1>
      <p className="text-ink-soft">The address may be mistyped, or what it led to is gone.</p>
      <ButtonLink href="/">Go home</ButtonLink>
    </main>
  );
}
