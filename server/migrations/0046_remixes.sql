-- The film of which a film is a remix (OpenAI's videos).

-- step: column
alter table kinora.video add column if not exists remixed_from uuid;
