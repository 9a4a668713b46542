-- selects all frames
SELECT frame_id FROM frames WHERE depth == 1;
