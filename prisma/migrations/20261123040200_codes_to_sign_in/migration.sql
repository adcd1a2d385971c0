-- A merchant can require one-time codes of every member who signs in.

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "totp_required_to_sign_in" BOOLEAN NOT NULL DEFAULT false;
