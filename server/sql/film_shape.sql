-- The shape of a film that is stored, from its pixels and its length, and whether it is what was ordered.

-- Returns whether a film has an aspect ratio, such as 16:9, within 3 %: encoders round sides to multiples of 8 or 16.
create or replace function kinora.film_has_ratio(p_ratio text, p_width integer, p_height integer) returns boolean
language sql immutable
return case
  when p_ratio ~ '^[1-9]\d*:[1-9]\d*$' then
    abs(p_width::float8 / p_height * split_part(p_ratio, ':', 2)::float8 / split_part(p_ratio, ':', 1)::float8 - 1) < 0.03
  else false
end;

-- Returns the aspect ratio of a film that has not the ordered one: another usual one, else its pixels in lowest terms.
create or replace function kinora.film_other_ratio(p_width integer, p_height integer) returns text
language sql immutable
return coalesce(
  (
    select ratio
    from unnest(array['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21', '3:2', '2:3']) with ordinality u (ratio, n)
    where kinora.film_has_ratio(p_ratio => ratio, p_width => p_width, p_height => p_height)
    order by n
    limit 1
  ),
  p_width / gcd(p_width, p_height) || ':' || p_height / gcd(p_width, p_height)
);

-- Returns the aspect ratio of a film; the ordered one when there is no film yet. Without a subquery PostgreSQL inlines
-- it into the lists.
create or replace function kinora.film_aspect_ratio(p_ordered text, p_width integer, p_height integer) returns text
language sql immutable
return case
  when p_width is null or kinora.film_has_ratio(p_ratio => p_ordered, p_width => p_width, p_height => p_height) then p_ordered
  else kinora.film_other_ratio(p_width => p_width, p_height => p_height)
end;

-- Returns the quality of a film, such as 720p: the pixels of its short side; the ordered one when there is no film yet.
create or replace function kinora.film_quality(p_ordered text, p_width integer, p_height integer) returns text
language sql immutable
return case least(p_width, p_height)
  when 2160 then '4k'
  else coalesce(least(p_width, p_height) || 'p', p_ordered)
end;

-- Returns whether a film has another shape than was ordered, or another length by more than a tenth and half a second.
create or replace function kinora.film_differs(p_video kinora.video) returns boolean
language sql immutable
return (p_video).aspect_ratio <> kinora.film_aspect_ratio(
    p_ordered => (p_video).aspect_ratio, p_width => (p_video).film_width, p_height => (p_video).film_height
  )
  or abs(
    least((p_video).film_width, (p_video).film_height)
      - case (p_video).quality when '4k' then 2160 else substring((p_video).quality from '^\d+')::integer end
  ) > 16
  or abs((p_video).film_duration_s - (p_video).duration_s) > greatest(0.5, 0.1 * (p_video).duration_s);

-- Returns the video among the inputs of a film: of the one that it continues, enlarges or changes.
create or replace function kinora.input_video(p_inputs jsonb) returns uuid
language sql immutable
return substr(jsonb_path_query_first(p_inputs, '$[*] ? (@.role == "film").source') #>> '{}', length('video:') + 1)::uuid;
