CREATE TABLE venue (venue_id INTEGER PRIMARY KEY, venue_name TEXT, town TEXT);
CREATE TABLE seller (seller_id INTEGER PRIMARY KEY, forename TEXT, surname TEXT, sex TEXT, hired_on DATE, left_on DATE,
                     boss_id INTEGER REFERENCES seller (seller_id), venue_id INTEGER REFERENCES venue (venue_id));
CREATE TABLE product (product_id INTEGER PRIMARY KEY, product_name TEXT, kind TEXT, qty_on_hand INTEGER, unit_price DOUBLE, is_fresh BOOLEAN);
CREATE TABLE sale_line (line_no INTEGER PRIMARY KEY, product_id INTEGER REFERENCES product (product_id),
                        seller_id INTEGER REFERENCES seller (seller_id), sold_on DATE, quantity INTEGER, line_price DOUBLE);
INSERT INTO venue VALUES (1, 'Harbour Hall', 'Bergen'), (2, 'Old Square', 'Voss');
INSERT INTO seller VALUES (1, 'Ada', 'Berg', 'F', DATE '2015-03-01', NULL, NULL, 1);
INSERT INTO seller VALUES (2, 'Ole', 'Dahl', 'M', DATE '2018-06-15', DATE '2022-01-31', 1, 1);
INSERT INTO seller VALUES (3, 'Eva', 'Holm', 'F', DATE '2020-09-01', NULL, 1, 2);
INSERT INTO seller VALUES (4, 'Tor', 'Lund', 'M', DATE '2021-02-01', NULL, 3, 2);
INSERT INTO product VALUES (1, 'Salmon', 'Fish', 12, 30, TRUE), (2, 'Cod', 'Fish', 0, 20, TRUE), (3, 'Rose', 'Flowers', 40, 4, TRUE), (4, 'Honey', 'Jars', 0, 9, FALSE);
INSERT INTO sale_line VALUES (1, 1, 1, DATE '2022-05-02', 2, 60), (2, 3, 2, DATE '2022-05-03', 10, 40), (3, 4, 3, DATE '2023-04-10', 3, 27),
                             (4, 1, 3, DATE '2023-06-01', 1, 30), (5, 3, 1, DATE '2023-06-02', 5, 20);
