CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, nationality TEXT);
CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT NOT NULL, genre TEXT, publication_year INTEGER, pages INTEGER, author_id INTEGER NOT NULL REFERENCES author(id));
CREATE TABLE member (member_no INTEGER PRIMARY KEY, name TEXT NOT NULL, joined DATE, city TEXT);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, isbn TEXT NOT NULL REFERENCES book(isbn), member_no INTEGER NOT NULL REFERENCES member(member_no), loan_date DATE NOT NULL, return_date DATE);
INSERT INTO author VALUES (1, 'Greta Holm', 'Danish'), (2, 'Pavel Novak', 'Czech'), (3, 'Amy Reed', 'British');
INSERT INTO book VALUES ('111', 'Cold Coast', 'Crime', 2010, 320, 1), ('222', 'Warm Rain', 'Romance', 2015, 280, 1), ('333', 'Iron Bridge', 'History', 2008, 510, 2), ('444', 'Last Train', 'Crime', 2019, 350, 3), ('555', 'Night Ferry', 'Romance', 2021, 190, 3), ('666', 'Glass Harbour', 'Crime', 2022, 410, 2);
INSERT INTO member VALUES (1, 'Kurt Weil', DATE '2019-01-01', 'Bonn'), (2, 'Lena Sommer', DATE '2020-03-15', 'Bonn'), (3, 'Max Frey', DATE '2021-10-10', 'Trier');
INSERT INTO loan VALUES (1, '111', 1, DATE '2022-01-03', DATE '2022-01-20'), (2, '111', 2, DATE '2022-02-10', DATE '2022-03-01'), (3, '333', 1, DATE '2022-02-15', NULL), (4, '444', 1, DATE '2023-05-05', DATE '2023-05-25'), (5, '444', 2, DATE '2023-06-01', NULL);
