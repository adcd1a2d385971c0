// The line at the top of pages outside the dashboard: the name, and who is signed in.
import { SignOutButton } from "../sign-in/sign-out-button";
import { ButtonLink } from "../ui/button";
import { Wordmark } from "../ui/mark";

interface MastheadProps {
  /** Null for visitors. */
  readonly member: { readonly email: string; readonly merchantName: string } | null;
}

export function Masthead({ member }: MastheadProps) {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex min-h-16 max-w-6xl items-center justify-between gap-6 px-5 py-2.5 sm:px-8">
        <Wordmark />
        {member ? (
          <div className="flex min-w-0 items-center gap-4">
            <p className="min-w-0 text-right text-xs leading-snug">
              <span className="block truncate font-medium">{member.merchantName}</span>
              <span className="block truncate text-ink-soft">{member.email}</span>
            </p>
            <ButtonLink href="/docs" size="small" tone="quiet" className="max-sm:hidden">
              Documentation
            </ButtonLink>
            <ButtonLink href="/dashboard" size="small" tone="primary">
              Dashboard
            </ButtonLink>
            <SignOutButton />
          </div>
        ) : (
          <div className="flex items-center gap-2">
            <ButtonLink href="/docs" size="small" tone="quiet">
              Documentation
            </ButtonLink>
            <ButtonLink href="/sign-in" size="small">
              Sign in
            </ButtonLink>
          </div>
        )}
      </div>
    </header>
  );
}
