-- Analytic queries for `data_bench guard`. Each stands behind a line '-- name: NAME tables: the tables it reads'.

-- name: totals tables: orders
SELECT status, count(*) AS orders, sum(amount) AS revenue, avg(amount) AS mean
FROM orders WHERE order_date >= DATE '2026-01-01' AND status IN ('paid', 'open')
GROUP BY status HAVING count(*) > 10 ORDER BY revenue DESC LIMIT 50;

-- name: best_customers tables: customers order_items orders products
SELECT c.name, p.category, sum(i.quantity * i.unit_price) AS total
FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items i ON i.order_id = o.id
LEFT JOIN products p ON p.id = i.product_id
WHERE o.order_date BETWEEN DATE '2026-01-01' AND DATE '2026-06-30' AND c.country <> 'XX'
GROUP BY c.name, p.category ORDER BY total DESC;

-- name: running_total tables: ledger.entries
SELECT account, booked_at, amount,
       sum(amount) OVER (PARTITION BY account ORDER BY booked_at ROWS BETWEEN 29 PRECEDING AND CURRENT ROW) AS month,
       rank() OVER (PARTITION BY account ORDER BY amount DESC) AS place
FROM ledger.entries WHERE kind = 'debit';

-- name: retention tables: events
WITH firsts AS (SELECT user_id, min(date_trunc('month', ts)) AS cohort FROM events GROUP BY user_id),
     months AS (SELECT DISTINCT user_id, date_trunc('month', ts) AS active FROM events)
SELECT f.cohort, m.active, count(*) AS users
FROM firsts f JOIN months m ON m.user_id = f.user_id GROUP BY f.cohort, m.active ORDER BY 1, 2;

-- name: above_average tables: hr.departments hr.employees
SELECT d.name, e.name, e.salary,
       CASE WHEN e.salary > 2 * x.mean THEN 'far' WHEN e.salary > x.mean THEN 'above' ELSE 'below' END AS place
FROM hr.employees e JOIN hr.departments d ON d.id = e.department_id
JOIN (SELECT department_id, avg(salary) AS mean FROM hr.employees GROUP BY department_id) x
  ON x.department_id = e.department_id
WHERE EXISTS (SELECT 1 FROM hr.employees m WHERE m.manager_id = e.id);
