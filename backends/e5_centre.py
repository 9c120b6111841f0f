"""Everyday sentences whose mean vector is what all texts of an E5 encoder have in common.

E5's cosines lie between .7 and .9 because every vector shares one large direction, and passages
and questions, Chinese and English ones differ along it. Taking the mean away spreads them over the
usual range and compares the languages fairly (Mu and Viswanath, "All-but-the-Top", ICLR 2018).
The mean is taken of one half Chinese and one half English.
"""

PASSAGES = (
    "该设备于二零一八年投入使用，每年检修一次，由维护班组负责记录。",
    "这条河发源于北部山区，流经三个省，全长约六百公里，最后注入大海。",
    "公司本年度营业收入为三十二亿元，同比增长百分之八，净利润有所下降。",
    "他出生于一个教师家庭，大学毕业后从事新闻工作，后来成为著名的作家。",
    "本标准规定了产品的术语、技术要求、试验方法、检验规则和包装标志。",
    "实验结果表明，新方法的准确率高于基线，但是训练时间明显更长。",
    "患者应当饭后服药，每日两次，如有不适请立即停药并咨询医生。",
    "该寺始建于唐代，历经多次重修，现存建筑大多是清代的遗物。",
    "设某函数在闭区间上连续，则它在这个区间上一定有最大值和最小值。",
    "投保人可以在十五日内解除合同，保险公司退还全部已交的保险费。",
    "这支球队在上个赛季获得联赛冠军，主教练随后宣布离开俱乐部。",
    "春季气温回升，雨水增多，农民开始播种水稻并修整田间的水渠。",
    "程序启动后先读取配置文件，再连接数据库，失败时写入日志并退出。",
    "电影讲述了两个年轻人在战争年代相识、分离又重逢的故事。",
    "城市的地铁网络共有九条线路，每天运送乘客超过三百万人次。",
    "这种鸟生活在湿地，以鱼和昆虫为食，冬天飞往南方过冬。",
    "The device came into service in 2018, is inspected once a year and is kept by two teams.",
    "The river rises in the northern mountains, crosses three provinces and ends in the sea.",
    "Revenue for the year was 3.2 billion, up eight percent, while net income fell slightly.",
    "She was born into a family of teachers, studied law and later became a well-known writer.",
    "This standard gives terms, requirements, test methods and rules for marking the product.",
    "Our experiments show that the new method beats the baseline but takes longer to train.",
    "Take the tablet after meals twice a day and ask your doctor if you feel unwell.",
    "The temple was founded in the eighth century; most of the present halls are much younger.",
    "If a function is continuous on a closed interval, it attains its maximum and its minimum.",
    "The policyholder may cancel within fifteen days and receives back all premiums paid.",
    "The team won the league last season, after which its head coach left the club.",
    "In spring it grows warmer and wetter, and farmers sow rice and repair their ditches.",
    "On start the program reads its settings, opens the database and logs every failure.",
    "The film tells of two young people who meet, part and find one another again in a war.",
    "The underground railway has nine lines and carries three million passengers a day.",
    "The bird lives in marshes, eats fish and insects and spends the winter in the south.",
)

QUESTIONS = (
    "这台设备是哪一年投入使用的？",
    "这条河有多长？",
    "公司今年的净利润是多少？",
    "他毕业后做了什么工作？",
    "标准对包装有什么要求？",
    "新方法为什么训练得更慢？",
    "这种药一天吃几次？",
    "寺庙是什么时候建的？",
    "投保人怎样解除合同？",
    "谁获得了联赛冠军？",
    "图中的曲线表示什么？",
    "这种鸟在哪里过冬？",
    "In which year did the device come into service?",
    "How long is the river?",
    "What was the net income this year?",
    "What did she do after her studies?",
    "What does the standard require of packaging?",
    "Why does the new method train more slowly?",
    "How often should the tablet be taken?",
    "When was the temple founded?",
    "How can the policyholder cancel the contract?",
    "Who won the league last season?",
    "What does the curve in the figure show?",
    "Where does the bird spend the winter?",
)
