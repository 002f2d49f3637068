CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, dept_name TEXT NOT NULL, floor INTEGER, beds INTEGER);
CREATE TABLE doctors (doctor_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, dept_id INTEGER NOT NULL REFERENCES departments(dept_id), hire_date DATE, salary INTEGER);
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, gender TEXT, birth_date DATE, city TEXT, insured BOOLEAN);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patients(patient_id), doctor_id INTEGER NOT NULL REFERENCES doctors(doctor_id), visit_date DATE NOT NULL, diagnosis TEXT, cost INTEGER);
INSERT INTO departments VALUES (1, 'Cardiology', 2, 30), (2, 'Neurology', 3, 20), (3, 'Oncology', 4, 25);
INSERT INTO doctors VALUES (1, 'Eva Stone', 1, DATE '2010-04-01', 9000), (2, 'Tom Hale', 1, DATE '2018-09-15', 7000), (3, 'Rita Moor', 2, DATE '2015-01-10', 8000), (4, 'Sam Field', 3, DATE '2020-06-01', 6500);
INSERT INTO patients VALUES (1, 'Paul Ash', 'male', DATE '1960-02-03', 'Leeds', TRUE), (2, 'Mary Lund', 'female', DATE '1985-07-21', 'York', TRUE), (3, 'Ines Roy', 'female', DATE '1972-12-30', 'Leeds', FALSE), (4, 'Carl Beck', 'male', DATE '1999-09-09', 'Hull', TRUE);
INSERT INTO visits VALUES (1, 1, 1, DATE '2022-01-05', 'Arrhythmia', 300), (2, 1, 1, DATE '2022-03-09', 'Arrhythmia', 250), (3, 2, 3, DATE '2022-03-15', 'Migraine', 120), (4, 3, 2, DATE '2022-06-20', 'Hypertension', 90), (5, 1, 3, DATE '2023-01-11', 'Migraine', 110), (6, 2, 3, DATE '2023-02-02', 'Migraine', 130), (7, 3, 1, DATE '2023-02-28', 'Hypertension', 400);
