-- Amounts in the order of their size: a range of amounts is a range of the search table's key.

-- "BRL 04 1050": the currency, how many digits, the minor units. Texts of one currency then sort as the numbers do.
CREATE FUNCTION "search_amount"(currency text, amount numeric) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN currency || ' ' || lpad(length(trunc(amount)::text)::text, 2, '0') || ' ' || trunc(amount)::text;

UPDATE "search_term" SET term = search_amount(split_part(term, ' ', 1), split_part(term, ' ', 2)::numeric)
WHERE field = 'amount';
