-- Lookups by primary key whose ranks are log-uniform, that is Zipf with exponent 1; neighbouring
-- ranks lie on different pages.

function thread_init()
  connection = sysbench.sql.driver():connect()
end

function event()
  local rows = sysbench.opt.table_size
  local rank = math.floor(rows ^ sysbench.rand.uniform_double())
  local id = (rank * 618033989) % rows + 1
  connection:query(string.format("SELECT c FROM sbtest1 WHERE id = %d", id))
end

function thread_done()
  connection:disconnect()
end

sysbench.cmdline.options = {
  tables = {"Tables, of which the first is read", 1},
  table_size = {"Rows of the table", 10000},
}
