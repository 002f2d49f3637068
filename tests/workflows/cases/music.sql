CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, age INTEGER);
INSERT INTO singer VALUES (1, 'Ada', 'France', 31), (2, 'Bo', 'Italy', 27), (3, 'Chen', 'France', 45), (4, 'Dora', 'Spain', 38);
CREATE TABLE song (song_id INTEGER PRIMARY KEY, singer_id INTEGER NOT NULL REFERENCES singer (singer_id), title TEXT NOT NULL, year INTEGER, sales INTEGER);
INSERT INTO song VALUES (1, 1, 'Alba', 2020, 120), (2, 1, 'Brisa', 2021, 340), (3, 2, 'Corale', 2021, 95), (4, 3, 'Duna', 2022, 410), (5, 4, 'Este', 2022, 77);
CREATE TABLE concert (concert_id INTEGER PRIMARY KEY, city TEXT NOT NULL, year INTEGER, seats INTEGER);
INSERT INTO concert VALUES (1, 'Lyon', 2021, 900), (2, 'Rome', 2022, 1500);
CREATE TABLE appearance (concert_id INTEGER NOT NULL REFERENCES concert (concert_id), singer_id INTEGER NOT NULL REFERENCES singer (singer_id), PRIMARY KEY (concert_id, singer_id));
INSERT INTO appearance VALUES (1, 1), (1, 3), (2, 2);
