-- Webhooks in the wire formats of other services: OpenRouter's callback_url and Replicate's webhook.

-- step: the format of a webhookUrl
-- The wire format of what is sent to it, 'openrouter' or 'replicate', null: Kinora's own; and which of Replicate's events, null: all.
alter table kinora.webhook_of_video add column if not exists format text, add column if not exists events text[];

-- step: the format of a delivery
-- Its body is then the video as it was, which the worker writes in the format when it sends it.
alter table kinora.webhook_delivery add column if not exists format text;
