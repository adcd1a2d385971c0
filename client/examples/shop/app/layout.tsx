import type { ReactNode } from "react";

export const metadata = { title: "Corner shop" };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body
        style={{ fontFamily: "system-ui", lineHeight: 1.5, margin: "3rem auto", maxWidth: "32rem", padding: "0 1rem" }}
      >
        {children}
      </body>
    </html>
  );
}
